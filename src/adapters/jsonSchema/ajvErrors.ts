import type { JsonSchema } from '../../call/inputJsonSchema.js';
import type { StandardIssue } from '../../contract/tool.js';
import { expectedBy, kindOf, listed, schemaAt, stepsOf } from './expected.js';
import { foldUnions } from './foldUnions.js';

/** What Ajv says of one keyword that was not met. */
export interface AjvError {
  readonly keyword: string;
  /** JSON pointer into the value. */
  readonly instancePath: string;
  /** JSON pointer into the schema, as a URI fragment. */
  readonly schemaPath: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Set where the name of a property was checked, not its value. */
  readonly propertyName?: string;
  readonly message?: string;
}

/** Ajv's errors as issues: path, what was expected, what came; one for a union, or those of the form that was meant. */
export const readErrors = (
  errors: readonly AjvError[],
  schema: JsonSchema,
  value: unknown,
): readonly StandardIssue[] => {
  const told = foldUnions(errors, schema).filter(({ keyword }) => !summaries.has(keyword));
  const issues = joinUnknownKeys(told).map((error) => issueOf(error, schema, value));
  // Nothing left to tell must not read as valid.
  return issues.length > 0 ? issues : [{ message: 'Invalid input', path: [] }];
};

/** Keywords that only say that something below them, told by itself, was not met. */
const summaries = new Set(['if', 'propertyNames']);

/** All unknown keys of one object in one issue: a line each would hide the rest. */
const joinUnknownKeys = (errors: readonly AjvError[]): readonly AjvError[] => {
  const keys = new Map<string, string[]>();
  return errors.flatMap((error) => {
    const key = unknownKeyOf(error);
    if (key === undefined) return [error];
    const others = keys.get(error.instancePath);
    if (others !== undefined) {
      others.push(key);
      return [];
    }
    const all = [key];
    keys.set(error.instancePath, all);
    return [{ ...error, params: { keys: all } }];
  });
};

const unknownKeyOf = ({ keyword, params }: AjvError): string | undefined =>
  keyword === 'additionalProperties' || keyword === 'unevaluatedProperties'
    ? String(params.additionalProperty ?? params.unevaluatedProperty)
    : undefined;

const issueOf = (error: AjvError, schema: JsonSchema, value: unknown): StandardIssue => {
  const { path, at } = placeOf(error.instancePath, value);
  const missing = error.params.missingProperty;
  return {
    message: messageOf(error, schema, at),
    path: typeof missing === 'string' ? [...path, missing] : path,
  };
};

/** The path as zod writes it, list places as numbers, and what stands there. */
const placeOf = (
  instancePath: string,
  value: unknown,
): { readonly path: PropertyKey[]; readonly at: unknown } => {
  const path: PropertyKey[] = [];
  let at = value;
  for (const step of stepsOf(instancePath)) {
    path.push(Array.isArray(at) ? Number(step) : step);
    at =
      typeof at === 'object' && at !== null && Object.hasOwn(at, step)
        ? (at as Readonly<Record<string, unknown>>)[step]
        : undefined;
  }
  return { path, at };
};

const messageOf = (error: AjvError, schema: JsonSchema, at: unknown): string => {
  const { keyword, params, propertyName } = error;
  if (propertyName !== undefined) return `Invalid key ${JSON.stringify(propertyName)}: ${said(error)}`;
  switch (keyword) {
    case 'type':
      return `Invalid input: expected ${expectedBy({ type: params.type }, schema)}, received ${kindOf(at)}`;
    case 'required':
      return `Invalid input: expected ${expectedProperty(error, schema)}, received undefined`;
    case 'dependentRequired':
    case 'dependencies':
      return `Invalid input: expected a value, since ${JSON.stringify(params.property)} is given`;
    case 'enum':
      return `Invalid option: expected ${expectedBy({ enum: params.allowedValues }, schema)}`;
    case 'const':
      return `Invalid input: expected ${expectedBy({ const: params.allowedValue }, schema)}`;
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return unknownKeys(params.keys as readonly string[], error, schema);
    case 'anyOf':
    case 'oneOf':
      return unionMessage(error, schema);
    default:
      return `Invalid input: ${said(error)}`;
  }
};

const said = ({ message, keyword }: AjvError): string => message ?? `it does not meet \`${keyword}\``;

const expectedProperty = ({ schemaPath, params }: AjvError, schema: JsonSchema): string => {
  const around = schemaAt(schemaPath.slice(0, schemaPath.lastIndexOf('/')), schema);
  const properties = around?.properties as JsonSchema | undefined;
  const name = String(params.missingProperty);
  const own = properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
  return expectedBy(own, schema);
};

const unknownKeys = (keys: readonly string[], { schemaPath }: AjvError, schema: JsonSchema): string => {
  const around = schemaAt(schemaPath.slice(0, schemaPath.lastIndexOf('/')), schema);
  const known = Object.keys((around?.properties as object | undefined) ?? {});
  const expected = known.length === 0 ? '' : `, expected only ${listed(known)}`;
  return `Unrecognized ${keys.length === 1 ? 'key' : 'keys'} ${listed(keys)}${expected}`;
};

const unionMessage = ({ schemaPath, params, keyword }: AjvError, schema: JsonSchema): string => {
  if (Array.isArray(params.passingSchemas)) return 'Invalid input: more than one of its forms fits';
  const around = schemaAt(schemaPath.slice(0, schemaPath.lastIndexOf('/')), schema);
  return `Invalid input: expected ${expectedBy({ anyOf: around?.[keyword] }, schema)}`;
};
