import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { catchError, lastValueFrom, of, toArray } from 'rxjs';
import { modelEvents } from '../../src/adapters/anthropic/index.js';
import type { ModelEvent } from '../../src/contract/index.js';
import { pieces, randomSizes } from './pieces.js';

export type Verdict =
  | { readonly type: 'match' }
  /** Differs from the official client on purpose. */
  | { readonly type: 'stricter'; readonly reason: string }
  | { readonly type: 'differs'; readonly reason: string };

interface Expected {
  readonly content?: unknown;
  readonly stop_reason?: unknown;
  readonly usage?: unknown;
  /** What the official client threw instead of giving a message. */
  readonly error?: string;
}

type Failure = { readonly type: 'failed'; readonly message: string };

/** Where SPEC §4 is stricter than the official client, by the recording's name. */
const stricter: ReadonlyMap<string, { readonly fault: 'invalid_json' | 'cut_off'; readonly reason: string }> =
  new Map([
    [
      'tool-invalid-json',
      {
        fault: 'invalid_json',
        reason: 'the client throws; SPEC §4.2 answers the call with invalid_json while its siblings run',
      },
    ],
    [
      'tool-cut-max-tokens',
      {
        fault: 'cut_off',
        reason: 'message equal; the client gives a call to run, SPEC §4.3 answers it with cut_off',
      },
    ],
  ]);

/** Compares one recorded stream with the message that the official client builds from it. */
export const checkRecording = async (file: string): Promise<Verdict> => {
  try {
    const bytes = await readFile(file);
    const expected: Expected = JSON.parse(await readFile(file.replace(/\.sse$/, '.expected.json'), 'utf8'));
    const events = await read([bytes]);
    return (
      (await differenceByCuts(bytes, events)) ??
      differenceFrom(expected, basename(file, '.sse'), events) ?? { type: 'match' }
    );
  } catch (error) {
    return differs(error instanceof Error ? error.message : String(error));
  }
};

const read = (chunks: Iterable<Uint8Array>): Promise<readonly (ModelEvent | Failure)[]> =>
  lastValueFrom(
    modelEvents(chunks).pipe(
      catchError((error: Error) => of<Failure>({ type: 'failed', message: error.message })),
      toArray(),
    ),
  );

const differenceByCuts = async (bytes: Uint8Array, whole: unknown): Promise<Verdict | undefined> => {
  const cuts = { '1 byte': pieces(bytes, () => 1), 'random size': pieces(bytes, randomSizes(bytes.length)) };
  for (const [size, chunks] of Object.entries(cuts)) {
    if (!isDeepStrictEqual(await read(chunks), whole)) return differs(`other events in chunks of ${size}`);
  }
  return undefined;
};

const differenceFrom = (
  expected: Expected,
  name: string,
  events: readonly (ModelEvent | Failure)[],
): Verdict | undefined => {
  const failure = events.find((event) => event.type === 'failed');
  if (failure !== undefined) return differs(failure.message);
  const anomaly = events.find((event) => event.type === 'anomaly');
  if (anomaly !== undefined) return differs(`anomaly: ${anomaly.message}`);
  const known = stricter.get(name);
  const member = unequalMember(expected, events);
  const faults = events.flatMap((event) => (event.type === 'tool-use' ? (event.toolUse.fault ?? []) : []));
  if (known !== undefined && faults.length === 1 && faults[0]?.code === known.fault) {
    if (member === undefined || expected.error !== undefined)
      return { type: 'stricter', reason: known.reason };
  }
  if (faults[0] !== undefined) return differs(`a call with a fault: ${faults[0].text}`);
  return member === undefined ? undefined : differs(`other ${member} than expected`);
};

const unequalMember = (expected: Expected, events: readonly (ModelEvent | Failure)[]) => {
  const end = events.find((event) => event.type === 'message-end');
  const message: Readonly<Record<string, unknown>> = end?.message ?? {};
  return (['content', 'stop_reason', 'usage'] as const).find(
    // Through JSON: the expected side has been.
    (member) => !isDeepStrictEqual(throughJson(message[member]), expected[member]),
  );
};

const throughJson = (value: unknown): unknown =>
  value === undefined ? undefined : JSON.parse(JSON.stringify(value));

const differs = (reason: string): Verdict => ({ type: 'differs', reason });
