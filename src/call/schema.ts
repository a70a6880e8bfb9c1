import * as zod from 'zod/v4/core';
import type { StandardIssue, StandardResult, StandardSchema } from '../contract/tool.js';
import { messageOf, toJson } from '../results/json.js';

export type ParseResult = StandardResult<unknown>;

/**
 * Parses input by a schema, once (law 10). What needs no waiting is answered at once.
 *
 * zod's own Standard Schema face tries synchronously first and starts again when a check turns out to answer
 * later, which runs the checks before it twice. So zod 4 is called by its core: the fast synchronous way where
 * the schema has no part that could answer later, else one run that allows for it.
 */
export const parseInput = (
  schema: StandardSchema,
  input: unknown,
): ParseResult | PromiseLike<ParseResult> => {
  try {
    return isZod4(schema) ? parseByZod(schema, input) : checked(schema['~standard'].validate(input));
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
  if (answersAtOnce(schema)) {
    const result = zod.safeParse(schema, input);
    return result.success ? { value: result.data } : { issues: result.error.issues };
  }
  const context: zod.ParseContextInternal = { async: true };
  const payload = schema._zod.run({ value: input, issues: [] }, context);
  return payload instanceof Promise
    ? payload.then((later) => readPayload(later, context))
    : readPayload(payload, context);
};

const readPayload = (payload: zod.ParsePayload, context: zod.ParseContextInternal): ParseResult =>
  payload.issues.length === 0
    ? { value: payload.value }
    : { issues: payload.issues.map((issue) => zod.util.finalizeIssue(issue, context, zod.config())) };

const known = new WeakMap<zod.$ZodType, boolean>();

const answersAtOnce = (schema: zod.$ZodType): boolean => {
  let answer = known.get(schema);
  if (answer === undefined) {
    // A schema that contains itself finds this answer on its way: in doubt, no.
    known.set(schema, false);
    answer = isPlain(schema);
    known.set(schema, answer);
  }
  return answer;
};

const leaves = new Set([
  'string',
  'number',
  'int',
  'boolean',
  'bigint',
  'null',
  'undefined',
  'any',
  'unknown',
  'never',
  'enum',
  'literal',
  'date',
  'symbol',
  'void',
  'nan',
]);

/** Whether a schema is made only of parts that are known to answer at once; in doubt, no. */
const isPlain = (schema: zod.$ZodType): boolean => {
  const def = schema._zod.def as PlainDef;
  if (def.checks?.some((check) => check._zod.def.check === 'custom')) return false;
  if (leaves.has(def.type)) return true;
  switch (def.type) {
    case 'object':
      return (
        Object.values(def.shape ?? {}).every(answersAtOnce) && (!def.catchall || answersAtOnce(def.catchall))
      );
    case 'array':
      return def.element !== undefined && answersAtOnce(def.element);
    case 'optional':
    case 'nullable':
    case 'default':
    case 'readonly':
      return def.innerType !== undefined && answersAtOnce(def.innerType);
    case 'union':
      return (def.options ?? []).every(answersAtOnce);
    default:
      return false;
  }
};

/** The members of zod's definitions that are looked at. */
interface PlainDef {
  readonly type: string;
  readonly checks?: readonly { readonly _zod: { readonly def: { readonly check: string } } }[];
  readonly shape?: Readonly<Record<string, zod.$ZodType>>;
  readonly catchall?: zod.$ZodType;
  readonly element?: zod.$ZodType;
  readonly innerType?: zod.$ZodType;
  readonly options?: readonly zod.$ZodType[];
}

/** Issues as lines that let the model mend its call: path, what was wrong, what came. */
export const describeIssues = (issues: readonly StandardIssue[], input: unknown): readonly string[] => {
  const lines = issues.slice(0, 10).map((issue) => describeIssue(issue, input));
  return issues.length > 10 ? [...lines, `and ${issues.length - 10} more`] : lines;
};

/** A foreign schema's issues may be anything; what can't be read of one is left out. */
const describeIssue = (issue: StandardIssue, input: unknown): string => {
  try {
    const path = Array.isArray(issue.path) ? issue.path.map(stepOf) : [];
    const at = path.length === 0 ? 'the input' : `\`${pathText(path)}\``;
    const said: unknown = issue.message;
    const message = typeof said === 'string' && said.trim() !== '' ? said : 'it is not valid';
    return `${at}: ${message}${got(valueAt(input, path), message)}`;
  } catch {
    return `the input: it is not valid${got(input, '')}`;
  }
};

const stepOf = (step: PropertyKey | { readonly key: PropertyKey }): PropertyKey =>
  typeof step === 'object' && step !== null ? step.key : step;

const pathText = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    return text === '' ? String(step) : `${text}.${String(step)}`;
  }, '');

const valueAt = (input: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, step) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, step)
        ? (value as Readonly<Record<PropertyKey, unknown>>)[step]
        : undefined,
    input,
  );

/** What came in its place: the kind of a value and a little of it, without what the message has said already. */
const got = (value: unknown, message: string): string => {
  if (value === undefined) return '';
  const kind = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  const told = message.endsWith(` received ${kind}`);
  if (value === null) return told ? '' : '; got null';
  const text = toJson(value);
  const short = text.length > 80 ? `${text.slice(0, 77).toWellFormed()}...` : text;
  return told ? ` ${short}` : `; got ${kind} ${short}`;
};
