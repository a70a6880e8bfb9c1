import type { JsonSchema } from './inputJsonSchema.js';

/** A JSON Schema of objects: what the Messages API takes for `input_schema`. */
export interface ObjectSchema {
  type: 'object';
  properties?: Record<string, unknown>;
  required?: string[];
  [keyword: string]: unknown;
}

/**
 * The schema with an object at its root, and no union or intersection there: the Messages API refuses the whole
 * request for one tool whose root has `anyOf`, `oneOf` or `allOf`.
 *
 * A union becomes one object with the properties of all its forms, of which those are required that all forms require.
 * So the model may write what none of the forms allows, and is told so when the call is validated.
 *
 * @throws Error that says why no object can be made of it
 */
export const objectRoot = (schema: JsonSchema): ObjectSchema => readRoot(schema, { root: schema, refs: [] });

/** The document that references point into, and those that have been followed to here. */
interface Place {
  readonly root: JsonSchema;
  readonly refs: readonly string[];
}

const readRoot = (schema: JsonSchema, place: Place): ObjectSchema => {
  const { $ref, anyOf, oneOf, allOf, ...rest } = schema;
  if (typeof $ref === 'string') return readRoot({ ...referred($ref, place), ...rest }, entered($ref, place));
  if (!mayBeObject(schema))
    throw new Error(`its root is ${JSON.stringify(schema.type)}, and the input of a call is an object`);
  const unions = [anyOf, oneOf].filter((each) => each !== undefined).map((each) => united(each, place));
  const parts = allOf === undefined ? [] : formsOf(allOf, place);
  return [...unions, ...parts].reduce<ObjectSchema>(joined, { ...rest, type: 'object' });
};

/** A call's input is an object: what can be one only with another type is none. */
const mayBeObject = ({ type }: JsonSchema): boolean =>
  type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'));

const entered = ($ref: string, { root, refs }: Place): Place => {
  if (refs.includes($ref)) throw new Error(`its root refers to itself by ${$ref}`);
  return { root, refs: [...refs, $ref] };
};

const referred = ($ref: string, { root }: Place): JsonSchema => {
  const steps = $ref.startsWith('#/') ? $ref.slice(2).split('/') : [];
  const target = steps.reduce<unknown>((at, step) => {
    const key = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
    return isSchema(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }, root);
  if (steps.length > 0 && isSchema(target)) return target;
  throw new Error(`its root refers to ${$ref}, which is not in it`);
};

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The forms an object may take; forms of other types can't be met by a call. */
const formsOf = (branches: unknown, place: Place): readonly ObjectSchema[] =>
  (Array.isArray(branches) ? branches : []).flatMap((branch: unknown) => {
    if (branch === true) return [{ type: 'object' as const }];
    if (!isSchema(branch) || !mayBeObject(branch)) return [];
    return [readRoot(branch, place)];
  });

const united = (branches: unknown, place: Place): ObjectSchema => {
  const forms = formsOf(branches, place);
  if (forms.length === 0) throw new Error('its root is a union of forms of which none is an object');
  const keys = new Set(forms.flatMap(({ properties }) => Object.keys(properties ?? {})));
  const properties = Object.fromEntries([...keys].map((key) => [key, eitherOf(forms, key)]));
  const isClosed = forms.every(({ additionalProperties }) => additionalProperties === false);
  const required = (forms[0]?.required ?? []).filter((key) =>
    forms.every((form) => form.required?.includes(key)),
  );
  return {
    type: 'object',
    properties,
    ...(required.length === 0 ? {} : { required }),
    ...(isClosed ? { additionalProperties: false } : {}),
  };
};

/** What a property may be in any of the forms that have it. */
const eitherOf = (forms: readonly ObjectSchema[], key: string): unknown => {
  const all = forms.flatMap(({ properties = {} }) =>
    Object.hasOwn(properties, key) ? [properties[key]] : [],
  );
  const distinct = [...new Map(all.map((each) => [JSON.stringify(each), each])).values()];
  if (distinct.length === 1) return distinct[0];
  const isLiteral = distinct.every((each) => isSchema(each) && 'const' in each);
  return isLiteral
    ? { enum: distinct.map((each) => (each as { readonly const: unknown }).const) }
    : { anyOf: distinct };
};

/** A schema with a part that holds beside it; what both say of a property holds in the words of the first. */
const joined = (schema: ObjectSchema, part: ObjectSchema): ObjectSchema => {
  const required = [...new Set([...(schema.required ?? []), ...(part.required ?? [])])];
  return {
    ...part,
    ...schema,
    properties: { ...part.properties, ...schema.properties },
    ...(required.length === 0 ? {} : { required }),
  };
};
