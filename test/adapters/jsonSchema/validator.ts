import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { ajvValidator, jsonSchema } from '../../../src/adapters/jsonSchema/index.js';
import { describeIssues } from '../../../src/call/describeIssues.js';
import { type ParseResult, parseInput } from '../../../src/call/schema.js';

const checks = { allErrors: true, ownProperties: true, validateFormats: false } as const;
export const lenient = { ...checks, strict: false, strictNumbers: true } as const;

/** Both dialects, as the documentation advises. */
export const validator = ajvValidator(new Ajv2020(lenient), new Ajv(lenient));

/** What a call would get, or the lines the model would read. */
export const read = (schema: object, input: unknown, by = validator): unknown => {
  const parsed = parseInput(jsonSchema(schema, { validator: by }), input) as ParseResult;
  return parsed.issues === undefined ? { value: parsed.value } : describeIssues(parsed.issues, input);
};
