import { copyData } from '../../call/copyData.js';
import { faceOf, type JsonSchema, type JsonSchemaFace } from '../../call/inputJsonSchema.js';
import { InvalidOptionError, MillraceError } from '../../contract/errors.js';
import type { StandardIssue, StandardSchema } from '../../contract/tool.js';
import { messageOf } from '../../results/json.js';

/** Turns JSON Schemas into checks; made by `ajvValidator`, or by hand for another library. */
export interface JsonSchemaValidator {
  /**
   * Called once a schema.
   *
   * @throws where the schema can't be compiled: what it throws is told to whoever wrapped the schema
   */
  compile(schema: JsonSchema): JsonSchemaCheck;
}

/**
 * Answers what is wrong with a value, nothing where it is valid; now or later. The value is a copy: defaults may be
 * filled into it, and members of it changed, where that is wanted.
 */
export type JsonSchemaCheck = (
  value: unknown,
) => readonly StandardIssue[] | PromiseLike<readonly StandardIssue[]>;

export interface JsonSchemaOptions {
  /** What checks by the schema. millrace brings none along: `ajvValidator(new Ajv2020())`, say. */
  readonly validator: JsonSchemaValidator;
}

/** A schema that can't be used, with the validator's own words. */
export class JsonSchemaError extends MillraceError {
  constructor(reason: string, cause?: unknown) {
    super('invalid_json_schema', reason, cause === undefined ? undefined : { cause });
  }
}

/**
 * Makes a JSON Schema the `inputSchema` of a tool that comes from elsewhere (MCP, an OpenAPI document).
 *
 * It is compiled at once and kept. Nothing is coerced and no default filled in unless the validator does it; it works
 * on a copy, so the input the model wrote stays as it was. `toolDefinitions` sends the schema itself to the model.
 *
 * **Gotchas** Changes of `schema` after this call are not seen.
 *
 * @param schema an object; the type parameter is what `call` gets, and is not checked against it
 * @throws InvalidOptionError without a validator; JsonSchemaError for a schema that can't be compiled, saying why
 * @example
 * ```ts
 * const validator = ajvValidator(new Ajv2020({ allErrors: true, ownProperties: true }));
 * const tools = listed.map(({ name, description, inputSchema }) =>
 *   defineTool({
 *     name,
 *     description,
 *     inputSchema: jsonSchema(inputSchema, { validator }),
 *     call: (input) => client.callTool({ name, arguments: input }),
 *   }),
 * );
 * ```
 */
export const jsonSchema = <T = Record<string, unknown>>(
  schema: object,
  options: JsonSchemaOptions,
): StandardSchema<T, T> & JsonSchemaFace => {
  const { validator } = options ?? {};
  if (typeof validator?.compile !== 'function') {
    throw new InvalidOptionError('jsonSchema(…).validator', 'a validator, as `ajvValidator(ajv)`', validator);
  }
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) {
    throw new InvalidOptionError('jsonSchema(schema)', 'an object', schema);
  }
  const own = copyData(schema) as JsonSchema;
  const check = compile(validator, own);
  const validate = (value: unknown) => {
    const copy = copyData(value);
    const issues = check(copy);
    return isLater(issues) ? issues.then((all) => answer<T>(copy, all)) : answer<T>(copy, issues);
  };
  return { '~standard': { version: 1, vendor: 'json-schema', validate, jsonSchema: faceOf(own) } };
};

const compile = (validator: JsonSchemaValidator, schema: JsonSchema): JsonSchemaCheck => {
  try {
    const check: unknown = validator.compile(schema);
    if (typeof check === 'function') return check as JsonSchemaCheck;
  } catch (error) {
    throw new JsonSchemaError(`${nameOf(schema)} can't be used: ${messageOf(error)}`, error);
  }
  throw new JsonSchemaError(`${nameOf(schema)} can't be used: the validator made no function of it`);
};

const nameOf = ({ title, $id }: JsonSchema): string => {
  const name = [title, $id].find((each) => typeof each === 'string');
  return name === undefined ? 'the JSON Schema' : `the JSON Schema ${JSON.stringify(name)}`;
};

const isLater = <T>(answered: T | PromiseLike<T>): answered is PromiseLike<T> =>
  typeof (answered as PromiseLike<T> | undefined)?.then === 'function';

const answer = <T>(value: unknown, issues: readonly StandardIssue[]) =>
  issues.length === 0 ? { value: value as T } : { issues };
