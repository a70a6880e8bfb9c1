import * as zod from 'zod/v4/core';
import type { StandardSchema } from '../contract/tool.js';
import { messageOf } from '../results/json.js';

/** A JSON Schema document whose root is an object, as it is written in JSON. */
export type JsonSchema = Readonly<Record<string, unknown>>;

const TARGET = 'draft-2020-12';

/** The face of Standard JSON Schema (version 1): zod 4.2 and later, ArkType and others have it. */
export interface JsonSchemaFace {
  readonly '~standard': {
    readonly jsonSchema: {
      input(options: { readonly target: string }): Record<string, unknown>;
      output(options: { readonly target: string }): Record<string, unknown>;
    };
  };
}

/**
 * Gives a schema the JSON Schema that is sent to the model for it; it goes on parsing as before.
 *
 * For schemas that can't say it themselves (zod 3, a schema written by hand), and for those whose input side has no
 * form in JSON Schema (`z.date()`). The two are not compared: what the JSON Schema allows and the schema refuses comes
 * back to the model as `invalid_input`.
 *
 * @example
 * ```ts
 * inputSchema: withInputJsonSchema(zod3Schema, zodToJsonSchema(zod3Schema)),
 * ```
 */
export const withInputJsonSchema = <S extends StandardSchema>(
  schema: S,
  jsonSchema: JsonSchema,
): S & JsonSchemaFace =>
  // By inheritance: what else the schema is (zod 4's core, a class with private state) stays reachable.
  Object.create(schema, {
    '~standard': {
      enumerable: true,
      value: Object.create(schema['~standard'], { jsonSchema: { value: faceOf(jsonSchema) } }),
    },
  });

/** Input and output are the same to JSON Schema: it does not transform. */
export const faceOf = (jsonSchema: JsonSchema): JsonSchemaFace['~standard']['jsonSchema'] => ({
  input: () => jsonSchema,
  output: () => jsonSchema,
});

/**
 * The input side of a schema as JSON Schema.
 *
 * @throws Error that says why there is none, and what to do
 */
export const inputJsonSchemaOf = (schema: StandardSchema): JsonSchema => {
  try {
    const written = write(schema);
    if (typeof written === 'object' && written !== null && !Array.isArray(written)) {
      return written as JsonSchema;
    }
  } catch (error) {
    const where = isZod(schema) ? culpritOf(schema) : '';
    throw new Error(`its input schema has no form in JSON Schema: ${messageOf(error)}${where}. ${MEND}`);
  }
  const vendor = String(schema['~standard'].vendor);
  throw new Error(`its input schema (${vendor}) does not say its JSON Schema. ${MEND}`);
};

const MEND = 'Give it one: `withInputJsonSchema(schema, jsonSchema)`';

const write = (schema: StandardSchema): unknown => {
  const face = (schema['~standard'] as Partial<JsonSchemaFace['~standard']>).jsonSchema;
  if (typeof face?.input === 'function') return face.input({ target: TARGET });
  return isZod(schema) ? zod.toJSONSchema(schema, { io: 'input', target: TARGET }) : undefined;
};

const isZod = (schema: StandardSchema): schema is StandardSchema & zod.$ZodType => '_zod' in schema;

/** Where in a schema of zod the part stands that has no form; zod itself does not say. */
const culpritOf = (schema: zod.$ZodType): string => {
  let longest: readonly PropertyKey[] = [];
  const look = ({ zodSchema, path }: { zodSchema: zod.$ZodType; path: readonly PropertyKey[] }): void => {
    if (path.length > longest.length && !isWritable(zodSchema)) longest = path;
  };
  try {
    zod.toJSONSchema(schema, {
      io: 'input',
      unrepresentable: 'any',
      override: look as never,
    });
  } catch {
    return '';
  }
  return longest.length === 0 ? '' : ` (at ${longest.map(String).join('.')})`;
};

const isWritable = (schema: zod.$ZodType): boolean => {
  try {
    zod.toJSONSchema(schema, { io: 'input' });
    return true;
  } catch {
    return false;
  }
};
