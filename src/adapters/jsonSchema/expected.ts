import type { JsonSchema } from '../../call/inputJsonSchema.js';
import { toJson } from '../../results/json.js';

/** The steps of a JSON pointer. */
export const stepsOf = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

/** What a pointer (`#/properties/a`) leads to in a schema; undefined where it leads elsewhere. */
export const schemaAt = (pointer: string, schema: JsonSchema): JsonSchema | undefined => {
  if (!pointer.startsWith('#')) return undefined;
  const found = stepsOf(decoded(pointer)).reduce<unknown>(
    (at, step) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, step)
        ? (at as Readonly<Record<string, unknown>>)[step]
        : undefined,
    schema,
  );
  return typeof found === 'object' && found !== null ? (found as JsonSchema) : undefined;
};

/** A pointer stands in a URI fragment; a key with a percent sign of its own may not be one. */
const decoded = (pointer: string): string => {
  try {
    return decodeURIComponent(pointer);
  } catch {
    return pointer;
  }
};

/** The kind of a JSON value, in the words of JSON Schema. */
export const kindOf = (value: unknown): string => {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
};

/** Up to ten names, quoted. */
export const listed = (names: readonly string[]): string => {
  const shown = names.slice(0, 10).map((name) => JSON.stringify(name));
  return names.length > 10 ? `${shown.join(', ')} and ${names.length - 10} more` : shown.join(', ');
};

/** What a schema wants, in a few words: `string or null`, `"a"|"b"`, `{ kind: "a", path }`. */
export const expectedBy = (wanted: unknown, root: JsonSchema, depth = 0): string => {
  if (typeof wanted !== 'object' || wanted === null || depth > 3) return 'a value';
  const { $ref, const: literal, enum: options, type, anyOf, oneOf, properties } = wanted as JsonSchema;
  if (typeof $ref === 'string') return expectedBy(schemaAt($ref, root), root, depth + 1);
  if ('const' in wanted) return toJson(literal);
  if (Array.isArray(options)) return optionsOf(options);
  const forms = anyOf ?? oneOf;
  if (Array.isArray(forms)) return formsOf(forms.map((form) => expectedBy(form, root, depth + 1)));
  if (typeof properties === 'object' && properties !== null && depth > 0)
    return shapeOf(wanted as JsonSchema, root, depth);
  if (Array.isArray(type)) return type.join(' or ');
  return typeof type === 'string' ? type.split(',').join(' or ') : 'a value';
};

const optionsOf = (options: readonly unknown[]): string => {
  const shown = options.slice(0, 20).map((option) => toJson(option));
  return `one of ${shown.join('|')}${options.length > 20 ? ` and ${options.length - 20} more` : ''}`;
};

const formsOf = (forms: readonly string[]): string => {
  const distinct = [...new Set(forms)];
  const shown = distinct.slice(0, 8).join(' or ');
  return distinct.length > 8 ? `${shown} or one of ${distinct.length - 8} more forms` : shown;
};

/** The keys of an object, required ones with what is fixed about them: enough to tell forms apart. */
const shapeOf = ({ properties, required }: JsonSchema, root: JsonSchema, depth: number): string => {
  const needed = new Set(Array.isArray(required) ? required : []);
  const keys = Object.entries(properties as JsonSchema).map(([key, property]) => {
    const isLiteral = typeof property === 'object' && property !== null && 'const' in property;
    const name = needed.has(key) ? key : `${key}?`;
    return isLiteral ? `${name}: ${expectedBy(property, root, depth + 1)}` : name;
  });
  return `{ ${keys.slice(0, 8).join(', ')}${keys.length > 8 ? ', …' : ''} }`;
};
