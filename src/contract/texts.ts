import type { Cause, Executed } from './outcome.js';

/*
 * What millrace itself tells the model, one text an outcome code. Each says what happened, what did not, and
 * what to do. They name configured limits, never measured times: same outcomes, same bytes (law 2).
 */

/** Marks a text as the machinery's word, not the tool's. */
export const asToolUseError = (text: string): string => `<tool_use_error>${text}</tool_use_error>`;

/** Whether the tool's side effects took place, in words. */
const effect = (executed: Executed): string =>
  executed === 'no'
    ? 'Nothing was run.'
    : 'It had started and may have taken effect; check before you repeat it.';

const saying = (said: string | undefined): string =>
  said === undefined || said === '' ? '' : ` It said: ${said}`;

export const toolErrorText = (tool: string, message: string): string =>
  message.trim() === '' ? `${tool} failed without saying why.` : message;

export const infrastructureText = (tool: string, what: string, executed: Executed): string => {
  const happened =
    executed === 'yes' ? 'The tool itself had finished; do not repeat it for this.' : effect(executed);
  return asToolUseError(`${tool} could not be carried out: ${what}. Your call was not at fault. ${happened}`);
};

/** A name may be a megabyte of rubbish. */
const shortened = (name: string): string =>
  name.length > 200 ? `${name.slice(0, 200)}… (${name.length} characters)` : name;

export const unknownToolText = (
  name: string,
  nearest: readonly string[],
  offered: readonly string[],
): string => {
  const quoted = nearest.map((each) => `"${each}"`).join(', ');
  const meant = nearest.length === 0 ? '' : ` Did you mean ${quoted}?`;
  const shown = offered.slice(0, 100).join(', ');
  const more = offered.length > 100 ? `, and ${offered.length - 100} more` : '';
  const list = offered.length === 0 ? 'No tools are offered.' : `Tools you can use: ${shown}${more}.`;
  return asToolUseError(
    `UnknownToolError: no tool is named ${JSON.stringify(shortened(name))}.${meant} ${list} Nothing was run.`,
  );
};

export const invalidJsonText = (tool: string, what: string): string =>
  asToolUseError(
    `InvalidJsonError: the input of ${tool} is no JSON object: ${what}. Nothing was run. Write the call again with its whole input as one JSON object.`,
  );

export const cutOffText = (tool: string, what: string): string =>
  asToolUseError(
    `CutOffError: the input of ${tool} was cut off before it was complete (${what}), so the call was not run. Write it again, in smaller pieces if it is long.`,
  );

export const invalidInputText = (tool: string, issues: readonly string[]): string =>
  asToolUseError(
    `InputValidationError: ${tool} can't take this input. Nothing was run.\n${issues.map((issue) => `- ${issue}`).join('\n')}`,
  );

export const notSentText = (tool: string): string =>
  `the schema of ${tool} was not sent with the request: load it first (a search for the tool by its name gives it), then write the call again by it`;

export const timeoutText = (
  tool: string,
  limit: 'timeout' | 'idle' | 'permission' | 'attempt',
  ms: number,
  stopped: boolean,
  said?: string,
): string => {
  const how =
    limit === 'idle' ? `gave no sign of progress for ${ms} ms` : `ran longer than its limit of ${ms} ms`;
  const end = stopped
    ? 'It was asked to stop and has stopped.'
    : 'It was asked to stop and may still be running.';
  return asToolUseError(`TimeoutError: ${tool} ${how}. ${end} ${effect('unknown')}${saying(said)}`);
};

export const siblingAbortedText = (
  tool: string,
  by: { readonly name: string; readonly toolUseId: string },
  executed: Executed,
  said?: string,
): string =>
  asToolUseError(
    `SiblingAbortedError: ${tool} was stopped automatically because the call ${by.toolUseId} (${by.name}) of the same message failed. The user did nothing, and this call itself is fine: write it again if it still makes sense. ${effect(executed)}${saying(said)}`,
  );

export const interruptedText = (tool: string, cause: Cause, executed: Executed, said?: string): string => {
  const who =
    cause.type === 'user'
      ? `the user stopped the run${cause.reason === '' ? '' : ` (${cause.reason})`}`
      : 'the run was stopped by the program';
  return asToolUseError(
    `InterruptedError: ${tool} was stopped because ${who}. ${effect(executed)}${saying(said)}`,
  );
};

export const deniedText = (tool: string, by: Cause, why: string, isBroken = false): string => {
  if (isBroken) {
    return asToolUseError(
      `PermissionError: ${tool} was not run, for nobody could be asked about it. ${sentence(why)} Nobody has refused the call, and it is not at fault. Tell the user.`,
    );
  }
  const who =
    by.type === 'callback'
      ? 'was refused by the user'
      : by.type === 'call'
        ? `was not run because the call ${by.toolUseId} (${by.name}) before it was denied`
        : 'was not permitted';
  const said = why === '' ? '' : ` ${sentence(why)}`;
  return asToolUseError(
    `PermissionDeniedError: ${tool} ${who}.${said} Nothing was run. Do not repeat the call as it is.`,
  );
};

export const hookDeniedText = (tool: string, hook: string, why: string, deferred: boolean): string => {
  const said = why === '' ? '' : ` ${sentence(why)}`;
  return asToolUseError(
    deferred
      ? `DeferredError: ${tool} was put off by the hook ${hook}: it is neither refused nor run.${said} Wait until it is taken up again; do not repeat it.`
      : `HookDeniedError: ${tool} was stopped by the hook ${hook}.${said} Nothing was run. Change the call as it says, or do without.`,
  );
};

export const hookFailedText = (tool: string, hook: string, why: string): string =>
  asToolUseError(
    `HookFailedError: ${tool} was not run because the hook ${hook}, which has to decide about it, is broken: ${sentence(why)} Nobody has refused the call, and it is not at fault. Tell the user that the hook has to be mended.`,
  );

/** With an end, and one only. */
const sentence = (text: string): string => (/[.!?…]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`);

export const attemptsText = (text: string, attempts: number): string =>
  attempts === 1 ? text : `${text} (It was tried ${attempts} times.)`;

export const discardedText = (tool: string, executed: Executed): string =>
  asToolUseError(`DiscardedError: the reply that called ${tool} was abandoned. ${effect(executed)}`);

export const noOutputText = (tool: string): string => `(${tool} finished without output)`;

/** The one notice after the results of a turn that the user stopped. */
export const interruptionNotice = (reason: string): string =>
  `[The user stopped the run${reason === '' ? '' : `: ${reason}`}. Wait for what they say next.]`;
