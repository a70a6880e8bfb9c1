import type { JsonSchema } from '../../call/inputJsonSchema.js';
import type { AjvError } from './ajvErrors.js';
import { schemaAt } from './expected.js';

/**
 * Ajv tells the faults of all forms of a union, one after the other, and then that none fits: to a model they
 * contradict each other. Kept are those of the form that was meant, where that can be told; else the union's alone.
 */
export const foldUnions = (errors: readonly AjvError[], schema: JsonSchema): readonly AjvError[] => {
  const told: AjvError[] = [];
  for (const error of errors) {
    if (isUnion(error)) {
      const of = prefixesOf(error, schema);
      const ofForms = of.map((prefixes) => told.filter((each) => belongs(each, error, prefixes)));
      const all = new Set(ofForms.flat());
      const others = told.filter((each) => !all.has(each));
      told.splice(0, told.length, ...others, ...(meantBy(ofForms, error) ?? [error]));
    } else told.push(error);
  }
  return told;
};

const isUnion = ({ keyword }: AjvError): boolean => keyword === 'anyOf' || keyword === 'oneOf';

/** By form: how the schema paths of its errors begin, where it stands and where it refers to. */
const prefixesOf = ({ schemaPath }: AjvError, schema: JsonSchema): readonly (readonly string[])[] => {
  const forms = schemaAt(schemaPath, schema);
  if (!Array.isArray(forms)) return [];
  return forms.map((form: unknown, index) => {
    const ref = (form as { readonly $ref?: unknown } | null)?.$ref;
    return [`${schemaPath}/${index}/`, ...(typeof ref === 'string' ? [`${ref}/`] : [])];
  });
};

const belongs = (each: AjvError, union: AjvError, prefixes: readonly string[]): boolean =>
  isWithin(each.instancePath, union.instancePath) &&
  prefixes.some((prefix) => each.schemaPath.startsWith(prefix));

const isWithin = (path: string, around: string): boolean => path === around || path.startsWith(`${around}/`);

/** The errors of the only form that the value is of, by its type and by what marks it (`kind: "a"`). */
const meantBy = (
  ofForms: readonly (readonly AjvError[])[],
  union: AjvError,
): readonly AjvError[] | undefined => {
  const meant = ofForms.filter(
    (errors) => errors.length > 0 && !errors.some((each) => tellsOff(each, union)),
  );
  return meant.length === 1 ? meant[0] : undefined;
};

const tellsOff = ({ keyword, instancePath }: AjvError, union: AjvError): boolean => {
  const below = instancePath.slice(union.instancePath.length).split('/').length - 1;
  if (keyword === 'const') return below <= 1;
  return (
    below === 0 && (keyword === 'type' || keyword === 'enum' || keyword === 'anyOf' || keyword === 'oneOf')
  );
};
