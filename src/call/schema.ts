import * as zod from 'zod/v4/core';
import type { StandardResult, StandardSchema } from '../contract/tool.js';
import { messageOf } from '../results/json.js';
import { copyData } from './copyData.js';
import { isZod3, parseByZod3 } from './zod3.js';
import { traitsOf } from './zodTraits.js';

export type ParseResult = StandardResult<unknown>;

/**
 * Parses input by a schema, once (law 10). What needs no waiting is answered at once.
 *
 * zod's own Standard Schema face tries synchronously first and starts again when a check turns out to answer
 * later, which runs the checks before it twice. So zod 4 is called by its core: the fast synchronous way where
 * the schema has no part that could answer later, else one run that allows for it.
 *
 * What comes out shares nothing with what the model wrote: a tool that changes its input must not change history.
 */
export const parseInput = (
  schema: StandardSchema,
  input: unknown,
): ParseResult | PromiseLike<ParseResult> => {
  try {
    if (isZod4(schema)) return parseByZod(schema, input);
    const own = copyData(input);
    return isZod3(schema) ? parseByZod3(schema, own) : checked(schema['~standard'].validate(own));
  } catch (error) {
    return thrown(error);
  }
};

/** A foreign schema may answer anything; what is no result is its failure. */
const checked = (answer: ParseResult | PromiseLike<ParseResult>): ParseResult | PromiseLike<ParseResult> => {
  if (typeof (answer as PromiseLike<ParseResult> | undefined)?.then === 'function') return answer;
  return isResult(answer) ? answer : thrown(new TypeError('the schema answered neither a value nor issues'));
};

export const isResult = (answer: unknown): answer is ParseResult => {
  if (typeof answer !== 'object' || answer === null) return false;
  const issues: unknown = Reflect.get(answer, 'issues');
  return Array.isArray(issues) || (issues === undefined && 'value' in answer);
};

/** A check or a transform threw: to the model that is an input it can't use. */
export const thrown = (error: unknown): ParseResult => ({ issues: [{ message: messageOf(error) }] });

type ZodSchema = zod.$ZodType & StandardSchema;

const isZod4 = (schema: StandardSchema): schema is ZodSchema => '_zod' in schema;

const parseByZod = (schema: ZodSchema, input: unknown): ParseResult | PromiseLike<ParseResult> => {
  const { answersAtOnce, copies } = traitsOf(schema);
  const own = copies ? input : copyData(input);
  if (answersAtOnce) {
    const result = zod.safeParse(schema, own);
    return result.success ? { value: result.data } : { issues: result.error.issues };
  }
  const context: zod.ParseContextInternal = { async: true };
  const payload = schema._zod.run({ value: own, issues: [] }, context);
  return payload instanceof Promise
    ? payload.then((later) => readPayload(later, context))
    : readPayload(payload, context);
};

const readPayload = (payload: zod.ParsePayload, context: zod.ParseContextInternal): ParseResult =>
  payload.issues.length === 0
    ? { value: payload.value }
    : { issues: payload.issues.map((issue) => zod.util.finalizeIssue(issue, context, zod.config())) };
