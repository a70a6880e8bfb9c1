import { invalidInputText } from '../contract/texts.js';
import type { Tool } from '../contract/tool.js';
import { disown } from '../interop/disown.js';
import { messageOf } from '../results/json.js';
import type { Refusal } from './call.js';
import { describeIssues } from './describeIssues.js';
import { freezeData } from './frozen.js';
import { isResult, type ParseResult, thrown } from './schema.js';

/** Input that `call` may get, or why it may not. */
export type Judged =
  | { readonly input: unknown; readonly refusal?: undefined }
  | { readonly refusal: Refusal & { readonly code: 'invalid_input' } };

/**
 * Reads what a schema has answered. A late answer comes from a foreign schema as it is: what can't be read of it is
 * its failure.
 */
export const judgeInput = (tool: Tool, written: unknown, answer: unknown): Judged => {
  try {
    if (isResult(answer)) return judge(tool, written, answer);
    return judge(tool, written, thrown(new TypeError('the schema answered neither a value nor issues')));
  } catch (error) {
    return judge(tool, written, thrown(error));
  }
};

const judge = (tool: Tool, written: unknown, parsed: ParseResult): Judged => {
  if (parsed.issues !== undefined)
    return { refusal: invalid(tool.name, describeIssues(parsed.issues, written)) };
  // Law 10: a check must not make what runs differ from what was checked.
  return { input: isChecked(tool) ? freezeData(parsed.value) : parsed.value };
};

/** Somebody looks at the input between its parse and the tool. */
const isChecked = ({ validateInput, ruleTargets, checkPermissions }: Tool): boolean =>
  validateInput !== undefined || ruleTargets !== undefined || checkPermissions !== undefined;

export const invalid = (
  name: string,
  issues: readonly string[],
): Refusal & { readonly code: 'invalid_input' } => ({
  code: 'invalid_input',
  text: invalidInputText(name, issues),
  issues,
});

/** Whether a call may overlap others. Anything but a plain `true` is no; `onFault` hears why it could not be told. */
export const isSafe = (tool: Tool, input: unknown, onFault: (what: string) => void): boolean => {
  try {
    const answer: unknown = tool.isConcurrencySafe?.(input as never);
    if (disown(answer)) throw new TypeError('it answered with a promise, which is no answer in time');
    return answer === true;
  } catch (error) {
    onFault(`isConcurrencySafe failed: ${messageOf(error)}`);
    return false;
  }
};
