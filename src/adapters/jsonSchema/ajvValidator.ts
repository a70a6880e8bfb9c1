import type { JsonSchema } from '../../call/inputJsonSchema.js';
import { InvalidOptionError } from '../../contract/errors.js';
import type { StandardIssue } from '../../contract/tool.js';
import { type AjvError, readErrors } from './ajvErrors.js';
import type { JsonSchemaCheck, JsonSchemaValidator } from './jsonSchema.js';

/** The part of an instance of Ajv 8 that is used. */
export interface AjvInstance {
  compile(schema: Record<string, unknown>): AjvCheck;
  getSchema(id: string): unknown;
  removeSchema(schema: object): unknown;
}

/** What Ajv compiles a schema to; a schema with `$async` answers later, and rejects with its errors. */
export interface AjvCheck {
  (value: unknown): unknown;
  errors?: readonly AjvError[] | null;
}

/**
 * Checks JSON Schemas by Ajv 8, with the options its instances were made with.
 *
 * Each instance knows a dialect: `Ajv` draft 7, `Ajv2020` 2020-12. A schema that names its dialect (`$schema`) goes to
 * the first instance that knows it, one that names none to the first of all; so give both where both may come.
 *
 * Worth setting for schemas of others: `allErrors`, so that the model mends all at once; `strict: false`, for keywords
 * that Ajv does not know, with `strictNumbers`, since `1e400` is read as `Infinity`; `ownProperties`, so that a parameter
 * named `constructor` is not found in every object. Formats are checked where `ajv-formats` has been added; without it
 * turn `validateFormats` off. `useDefaults` and `coerceTypes` do what they say, to what the tool gets.
 *
 * @throws InvalidOptionError where there is no instance
 * @example
 * ```ts
 * const checks = { allErrors: true, ownProperties: true, validateFormats: false };
 * const options = { ...checks, strict: false, strictNumbers: true };
 * const validator = ajvValidator(new Ajv2020(options), new Ajv(options));
 * ```
 */
export const ajvValidator = (...instances: readonly [AjvInstance, ...AjvInstance[]]): JsonSchemaValidator => {
  const odd = instances.findIndex((each) => typeof each?.compile !== 'function');
  if (instances.length === 0 || odd >= 0) {
    throw new InvalidOptionError(`ajvValidator[${Math.max(odd, 0)}]`, 'an instance of Ajv', instances[odd]);
  }
  return {
    compile: (schema) => checkBy(compiled(instanceFor(schema, instances), schema), schema),
  };
};

const instanceFor = ({ $schema }: JsonSchema, instances: readonly AjvInstance[]): AjvInstance => {
  const found = instances.find(
    (each) => typeof $schema !== 'string' || each.getSchema($schema) !== undefined,
  );
  if (found !== undefined) return found;
  throw new Error(
    `no Ajv given knows its dialect ${$schema}; Ajv knows draft-07, Ajv2020 (ajv/dist/2020) 2020-12`,
  );
};

/** Ajv keeps what it compiles by object and by `$id`: the next tool with that `$id` would be refused. */
const compiled = (ajv: AjvInstance, schema: JsonSchema): AjvCheck => {
  // Known before, it belongs to whoever added it, and Ajv says so.
  const isNew = typeof schema.$id !== 'string' || ajv.getSchema(schema.$id) === undefined;
  try {
    return ajv.compile(schema);
  } finally {
    if (isNew) ajv.removeSchema(schema);
  }
};

const checkBy =
  (check: AjvCheck, schema: JsonSchema): JsonSchemaCheck =>
  (value) => {
    const answered = check(value);
    if (answered === true) return [];
    if (answered === false) return readErrors(check.errors ?? [], schema, value);
    return laterIssues(answered as PromiseLike<unknown>, schema, value);
  };

const laterIssues = (
  answered: PromiseLike<unknown>,
  schema: JsonSchema,
  value: unknown,
): PromiseLike<readonly StandardIssue[]> =>
  answered.then(
    () => [],
    (error: unknown) => {
      const errors = (error as { readonly errors?: unknown } | undefined)?.errors;
      if (!Array.isArray(errors)) throw error;
      return readErrors(errors as readonly AjvError[], schema, value);
    },
  );
