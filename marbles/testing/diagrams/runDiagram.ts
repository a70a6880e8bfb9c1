import { Observable, type Observer, tap } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { MillraceError } from '../../../src/contract/errors.js';
import { explainDifference } from '../explainDifference.js';
import { type Mark, printMarks } from './marbleCells.js';
import type { Diagram, DiagramRow } from './parseDiagram.js';

/** What the operator of a diagram is built from. */
export interface DiagramKit {
  /** The input drawn in a row, cold; the values are its letters. May be asked for more than once. */
  input(label: string): Observable<string>;
  /** Observes from now on what is drawn in a row: for outputs that appear while the operator runs. */
  observe(label: string, output: Observable<string>): void;
  /** An option of the fence, as written. */
  option(name: string): string;
}

/** Builds the operator of a diagram: its outputs by label; each is subscribed to where its row begins. */
export type BuildDiagram = (kit: DiagramKit) => Readonly<Record<string, Observable<string>>>;

/** A diagram that does not show what happens. */
export class DiagramError extends MillraceError {
  constructor(message: string) {
    super('diagram', message);
  }
}

/** A row as it came. */
interface Received {
  readonly start: number;
  readonly marks: Mark[];
  left?: number;
}

/**
 * Runs an operator in virtual time as drawn.
 *
 * @throws DiagramError with expected and received one above the other, and for rows that nobody uses
 */
export const runDiagram = (diagram: Diagram, build: BuildDiagram, title = 'the diagram'): void => {
  const played = new PlayedDiagram(diagram);
  const received = played.play(build);
  const unused = [...diagram.rows.keys()].filter((label) => !played.used.has(label));
  if (unused.length > 0) throw new DiagramError(`${title}: nothing is known of the row \`${unused[0]}\``);
  const rows = [...diagram.rows.values()];
  const expected = rows.flatMap((row) => drawn(row.label, expectedOf(row)));
  const came = rows.flatMap((row) => drawn(row.label, received.get(row.label)));
  if (JSON.stringify(expected) === JSON.stringify(came)) return;
  // Its words are made for turns.
  const difference = explainDifference({ rows: expected }, { rows: came });
  throw new DiagramError(difference.replace('the turn', title));
};

const expectedOf = ({ start, marks, left }: DiagramRow): Received => ({
  start,
  marks: left === undefined ? [...marks] : marks.filter(({ at }) => start + at <= left),
  ...(left === undefined ? undefined : { left }),
});

const drawn = (
  label: string,
  received: Received | undefined,
): readonly { readonly label: string; readonly cells: string }[] => {
  if (received === undefined) return [{ label, cells: '' }];
  const row = { label, cells: printMarks(received.marks, received.start) };
  if (received.left === undefined) return [row];
  const { start, left } = received;
  const subscription = left === start ? '!' : `^${'-'.repeat(Math.max(0, left - start - 1))}!`;
  return [row, { label: 'subs', cells: ' '.repeat(start) + subscription }];
};

class PlayedDiagram {
  readonly used = new Set<string>();
  readonly #received = new Map<string, Received>();
  readonly #scheduler = new TestScheduler(() => undefined);

  constructor(private readonly diagram: Diagram) {}

  play(build: BuildDiagram): ReadonlyMap<string, Received> {
    this.#scheduler.run(({ cold, flush }) => {
      const outputs = build({
        input: (label) => this.#watched(label, cold(this.#row(label).cells)),
        observe: (label, output) => this.#observe(label, output),
        option: (name) => this.#option(name),
      });
      for (const [label, output] of Object.entries(outputs)) {
        const { start } = this.#row(label);
        if (start === 0) this.#observe(label, output);
        else this.#scheduler.schedule(() => this.#observe(label, output), start);
      }
      flush();
    });
    return this.#received;
  }

  #row(label: string): DiagramRow {
    const row = this.diagram.rows.get(label);
    if (row === undefined) throw new DiagramError(`a row \`${label}\` is missing in the diagram`);
    this.used.add(label);
    return row;
  }

  #option(name: string): string {
    const option = this.diagram.options[name];
    if (option === undefined) throw new DiagramError(`\`${name}=…\` is missing on the diagram's fence`);
    return option;
  }

  #begin(label: string): Received {
    const received: Received = { start: this.#scheduler.now(), marks: [] };
    this.#received.set(label, received);
    return received;
  }

  #observe(label: string, output: Observable<string>): void {
    const { left } = this.#row(label);
    const received = this.#begin(label);
    const subscription = output.subscribe(this.#noting(received));
    if (left === undefined) return;
    this.#scheduler.schedule(() => {
      if (!subscription.closed) received.left = left;
      subscription.unsubscribe();
    }, left - received.start);
  }

  /** An input that writes down when it is subscribed to, what it says, and when it is left. */
  #watched(label: string, input: Observable<string>): Observable<string> {
    return new Observable((subscriber) => {
      if (this.#received.has(label)) throw new DiagramError(`\`${label}\` is subscribed to twice`);
      const received = this.#begin(label);
      const noting = this.#noting(received);
      subscriber.add(() => {
        const { glyph = '' } = received.marks.at(-1) ?? {};
        if (glyph !== '|' && glyph !== '#') received.left = this.#scheduler.now();
      });
      input.pipe(tap(noting)).subscribe(subscriber);
    });
  }

  #noting(received: Received): Observer<string> {
    const note = (glyph: string): void => {
      received.marks.push({ at: this.#scheduler.now() - received.start, glyph });
    };
    return { next: note, error: () => note('#'), complete: () => note('|') };
  }
}
