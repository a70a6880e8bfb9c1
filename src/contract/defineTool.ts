import type { CallContext, CheckContext } from './context.js';
import { InvalidOptionError } from './errors.js';
import type {
  MaybeLater,
  OutputOf,
  ProgressOf,
  RetryPolicy,
  SchemaOutput,
  StandardSchema,
  Tool,
} from './tool.js';
import type { ResultContent } from './toolUse.js';

type Inferred = 'inputSchema' | 'call' | 'mapResult' | 'renderResult' | 'extractSearchText' | InputMember;
type InputMember =
  | 'isConcurrencySafe'
  | 'isReadOnly'
  | 'isDestructive'
  | 'isIdempotent'
  | 'ruleTargets'
  | 'validateInput'
  | 'checkPermissions';

/** What `defineTool` takes: the members of `Tool`, with the types still to be inferred. */
export interface ToolDefinition<S extends StandardSchema, R, N extends string, C>
  extends Omit<Tool<never, unknown, unknown, N>, Inferred | '~progress'> {
  readonly inputSchema: S;
  isConcurrencySafe?(input: SchemaOutput<S>): boolean;
  isReadOnly?(input: SchemaOutput<S>): boolean;
  isDestructive?(input: SchemaOutput<S>): boolean;
  isIdempotent?(input: SchemaOutput<S>): boolean;
  ruleTargets?(input: SchemaOutput<S>, ctx: CheckContext<C>): MaybeLater<unknown>;
  validateInput?(input: SchemaOutput<S>, ctx: CheckContext<C>): MaybeLater<string | undefined>;
  checkPermissions?(input: SchemaOutput<S>, ctx: CheckContext<C>): MaybeLater<unknown>;
  call(input: SchemaOutput<S>, ctx: CallContext<C>): R;
  mapResult?(output: OutputOf<R>, toolUseId: string): string | readonly ResultContent[];
  renderResult?(output: OutputOf<R>): string;
  extractSearchText?(output: OutputOf<R>): string;
}

/**
 * Declares a tool; every type follows from its schema and from what `call` returns.
 *
 * Write `call` before the members that read its output (`mapResult`, …): TypeScript infers from left to right.
 *
 * @throws InvalidOptionError for a member that can't be meant: no name, no schema, a limit below 0.
 * @example
 * ```ts
 * const wordCount = defineTool({
 *   name: 'word_count',
 *   description: 'Counts the words of a text.',
 *   inputSchema: z.object({ text: z.string() }),
 *   isConcurrencySafe: () => true,
 *   call: ({ text }) => ({ words: text.split(/\s+/).filter(Boolean).length }),
 *   mapResult: ({ words }) => `${words} words`,
 * });
 * ```
 */
export const defineTool = <S extends StandardSchema, R, const N extends string, C = unknown>(
  definition: ToolDefinition<S, R, N, C>,
): Tool<SchemaOutput<S>, OutputOf<R>, ProgressOf<R>, N> => {
  // The definition's `call` returns R, the tool's `unknown`: the emissions of R are read at run time.
  const tool = definition as unknown as Tool<SchemaOutput<S>, OutputOf<R>, ProgressOf<R>, N>;
  checkTool(tool, `tool`);
  return Object.freeze(tool);
};

const milliseconds = ['timeoutMs', 'idleTimeoutMs', 'graceMs'] as const;

const functions = [
  'isConcurrencySafe',
  'isReadOnly',
  'isDestructive',
  'ruleTargets',
  'validateInput',
  'checkPermissions',
  'mapResult',
  'renderResult',
  'extractSearchText',
  'isIdempotent',
] as const;

const oneOf = (value: string | undefined, allowed: readonly string[], where: string): void => {
  if (value === undefined || allowed.includes(value)) return;
  throw new InvalidOptionError(where, `one of ${allowed.join(', ')}`, value);
};

/** At construction: a policy that can't be meant would only show when something fails. */
const checkRetry = (retry: RetryPolicy | undefined, where: string): void => {
  if (retry === undefined) return;
  if (typeof retry !== 'object' || retry === null) throw new InvalidOptionError(where, 'a policy', retry);
  const { maxAttempts, attemptTimeoutMs, backoff, retryOn } = retry;
  if (!(Number.isInteger(maxAttempts) && maxAttempts >= 1)) {
    throw new InvalidOptionError(`${where}.maxAttempts`, 'an integer from 1 up', maxAttempts);
  }
  atLeast(attemptTimeoutMs, 0, `${where}.attemptTimeoutMs`);
  if (retryOn !== undefined && typeof retryOn !== 'function') {
    throw new InvalidOptionError(`${where}.retryOn`, 'a function', retryOn);
  }
  if (backoff === undefined) return;
  atLeast(backoff.initialMs, 0, `${where}.backoff.initialMs`);
  atLeast(backoff.factor, 1, `${where}.backoff.factor`);
  atLeast(backoff.maxMs, 0, `${where}.backoff.maxMs`);
  if (backoff.jitter !== undefined && !(backoff.jitter >= 0 && backoff.jitter <= 1)) {
    throw new InvalidOptionError(`${where}.backoff.jitter`, 'a share from 0 to 1', backoff.jitter);
  }
};

const atLeast = (value: number | undefined, least: number, where: string): void => {
  if (value === undefined || (typeof value === 'number' && value >= least)) return;
  throw new InvalidOptionError(where, `a number from ${least} up`, value);
};

/** Refuses a tool that can't work, naming the member; `where` is how the caller knows the tool. */
export const checkTool = (tool: Tool, where: string): void => {
  if (typeof tool !== 'object' || tool === null) throw new InvalidOptionError(where, 'a tool', tool);
  if (typeof tool.name !== 'string' || tool.name === '') {
    throw new InvalidOptionError(`${where}.name`, 'a name that is not empty', tool.name);
  }
  const named = `${where} ${JSON.stringify(tool.name)}`;
  if (typeof tool.call !== 'function') throw new InvalidOptionError(`${named}.call`, 'a function', tool.call);
  if (typeof tool.inputSchema?.['~standard']?.validate !== 'function') {
    throw new InvalidOptionError(
      `${named}.inputSchema`,
      'a zod schema or another Standard Schema (wrap a JSON Schema: `jsonSchema` of millrace/json-schema)',
      tool.inputSchema,
    );
  }
  if (tool.aliases !== undefined && !Array.isArray(tool.aliases)) {
    throw new InvalidOptionError(`${named}.aliases`, 'a list of names', tool.aliases);
  }
  oneOf(tool.kind, ['shell', 'file', 'network', 'other'], `${named}.kind`);
  oneOf(tool.onInterrupt, ['cancel', 'finish'], `${named}.onInterrupt`);
  for (const member of functions) {
    if (tool[member] !== undefined && typeof tool[member] !== 'function')
      throw new InvalidOptionError(`${named}.${member}`, 'a function', tool[member]);
  }
  for (const member of milliseconds) {
    const value = tool[member];
    if (value !== undefined && !(typeof value === 'number' && value >= 0)) {
      throw new InvalidOptionError(`${named}.${member}`, 'a number of milliseconds from 0 up', value);
    }
  }
  checkRetry(tool.retry, `${named}.retry`);
  const size = tool.maxResultSizeChars;
  if (size !== undefined && !(size > 0)) {
    throw new InvalidOptionError(`${named}.maxResultSizeChars`, 'a number of characters above 0', size);
  }
};
