import type { HookEventName, HookInput } from '../contract/hooks.js';
import { HookOutputError, readHookJson } from './hookJson.js';
import type { AnyAnswer } from './hookOutput.js';
import type { HookProcessEnd } from './hookProcess.js';

/**
 * What the end of a hook's process says (exit codes and JSON of the public contract).
 *
 * 0: its JSON decides; other text is no opinion. 2: blocks, whatever the JSON says. Any other code: only a decision in
 * valid JSON counts. Stricter than the contract, so that a broken guard is never taken for a consent (SPEC §10): JSON
 * that can't be read, and any other code without a decision, are failures.
 *
 * @throws HookOutputError where it says nothing that counts
 */
export const readExit = (end: HookProcessEnd, input: HookInput): AnyAnswer | undefined => {
  const { exitCode } = end;
  const isBlocking = exitCode === 2 && input.event !== 'PermissionRequest';
  if (isBlocking) return blocked(end, input);
  const answer = readJson(end, input);
  if (exitCode === 0) return answer;
  if (answer !== undefined && decides(answer, input.event)) return answer;
  // A wish to stop everything outlives the bad exit, and the call is not run for it.
  if (answer?.continue === false)
    return refusing(answer, input.event, `The hook ended with ${endingOf(end, input.event)}.`);
  throw new HookOutputError(withStderr(endingOf(end, input.event), end));
};

/** Exit code 2. What the JSON says beside the decision still holds; a rewriting does not. */
const blocked = (end: HookProcessEnd, input: HookInput): AnyAnswer => {
  const { updatedInput: _, updatedToolOutput: __, ...said } = readOrNothing(end, input) ?? {};
  const reason = firstText(said.reason, end.stderr.trim()) ?? 'It exited with code 2 and gave no reason.';
  switch (input.event) {
    case 'PreToolUse':
      return { ...said, decision: 'deny', reason };
    case 'PostToolUseFailure':
      // The call has failed already: the text is all there is to add.
      return { ...said, additionalContext: firstText(said.additionalContext, reason) as string };
    default:
      return { ...said, decision: 'block', reason };
  }
};

const refusing = ({ updatedInput: _, ...said }: AnyAnswer, event: HookEventName, why: string): AnyAnswer => {
  const member = event === 'PreToolUse' ? 'reason' : 'message';
  return { ...said, decision: 'deny', [member]: said[member] ?? why };
};

const readOrNothing = (end: HookProcessEnd, input: HookInput): AnyAnswer | undefined => {
  try {
    return readJson(end, input);
  } catch {
    return undefined;
  }
};

const readJson = (end: HookProcessEnd, input: HookInput): AnyAnswer | undefined => {
  if (!end.stdout.trimStart().startsWith('{')) return undefined;
  if (end.isCut) throw new HookOutputError('it printed more than is read, and its JSON is incomplete');
  return readHookJson(end.stdout, input);
};

/** Whether JSON makes up for a bad exit code. Those that only observe have nothing to decide. */
const decides = (answer: AnyAnswer, event: HookEventName): boolean =>
  answer.decision !== undefined || (event !== 'PreToolUse' && event !== 'PermissionRequest');

const endingOf = ({ exitCode, signal }: HookProcessEnd, event: HookEventName): string => {
  if (exitCode === null) return `ended by ${signal ?? 'a signal'}`;
  if (exitCode === 2) return `exit code 2 is no answer to ${event}: it must print its decision as JSON`;
  if (exitCode === 127) return 'exit code 127, which says that its program was not found';
  return `exit code ${exitCode} without a decision`;
};

const withStderr = (what: string, { stderr }: HookProcessEnd): string => {
  const said = stderr.trim();
  return said === '' ? what : `${what}: ${said}`;
};

const firstText = (...texts: readonly (string | undefined)[]): string | undefined =>
  texts.find((text) => text !== undefined && text !== '');
