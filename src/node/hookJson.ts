import { ZodError } from 'zod';
import { MillraceError } from '../contract/errors.js';
import type { HookInput } from '../contract/hooks.js';
import { type AnyAnswer, answerOf } from './hookOutput.js';

/** A hook outside of this program has given no answer: it was not reached, crashed, or said what is none. */
export class HookOutputError extends MillraceError {
  constructor(message: string) {
    super('hook_output', message);
  }
}

/** What the JSON of a hook says. @throws HookOutputError where it is none, or does not fit the event */
export const readHookJson = (text: string, input: HookInput): AnyAnswer => {
  try {
    return answerOf(parse(text), input);
  } catch (error) {
    if (!(error instanceof ZodError)) throw error;
    const issues = error.issues.map(({ path, message }) => `${path.join('.') || 'the output'}: ${message}`);
    throw new HookOutputError(`its JSON does not fit ${input.event}: ${issues.join('; ')}`);
  }
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new HookOutputError(`what it said is no JSON: ${(error as Error).message}`);
  }
};
