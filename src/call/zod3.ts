import type { StandardResult, StandardSchema } from '../contract/tool.js';

/** The part of a schema of zod 3 that is used. */
export interface Zod3Schema extends StandardSchema {
  readonly _def: Zod3Def;
  safeParseAsync(input: unknown): PromiseLike<Zod3Result>;
}

type Zod3Result =
  | { readonly success: true; readonly data: unknown }
  | { readonly success: false; readonly error: { readonly issues: readonly { readonly message: string }[] } };

interface Zod3Def {
  readonly typeName?: unknown;
  readonly [member: string]: unknown;
}

export const isZod3 = (schema: StandardSchema): schema is Zod3Schema => {
  const { _def, safeParseAsync } = schema as Partial<Zod3Schema>;
  return typeof _def?.typeName === 'string' && typeof safeParseAsync === 'function';
};

/**
 * Parses by a schema of zod 3, once.
 *
 * Its own Standard Schema face parses at once, and starts again when a part turns out to answer later: the parts before
 * it run twice, and nobody listens to the promise of the first try, whose rejection would end the program. So what may
 * answer later is parsed in the way that allows for it from the start.
 */
export const parseByZod3 = (
  schema: Zod3Schema,
  input: unknown,
): StandardResult<unknown> | PromiseLike<StandardResult<unknown>> =>
  answersAtOnce(schema) ? schema['~standard'].validate(input) : schema.safeParseAsync(input).then(readResult);

const readResult = (result: Zod3Result): StandardResult<unknown> =>
  result.success ? { value: result.data } : { issues: result.error.issues };

const known = new WeakMap<object, boolean>();

/** No part of it could answer later. A schema that contains itself does so by a function, and is in doubt. */
const answersAtOnce = (schema: Zod3Schema): boolean => {
  let answer = known.get(schema);
  if (answer === undefined) {
    const parts = partsOf(schema._def);
    answer =
      parts?.every((part) => isZod3(part as StandardSchema) && answersAtOnce(part as Zod3Schema)) ?? false;
    known.set(schema, answer);
  }
  return answer;
};

const plain =
  /^Zod(String|Number|BigInt|Boolean|Date|Symbol|Undefined|Null|Any|Unknown|Never|Void|NaN|Literal|Enum|NativeEnum)$/;

/** The schemas a schema is made of; nothing where it may answer later by itself. */
const partsOf = (def: Zod3Def): readonly unknown[] | undefined => {
  const name = String(def.typeName);
  if (plain.test(name)) return [];
  switch (name) {
    case 'ZodObject':
      return [...Object.values((def.shape as () => object)()), def.catchall];
    case 'ZodArray':
      return [def.type];
    case 'ZodOptional':
    case 'ZodNullable':
    case 'ZodDefault':
    case 'ZodReadonly':
      return [def.innerType];
    case 'ZodUnion':
    case 'ZodDiscriminatedUnion':
      return def.options as readonly unknown[];
    case 'ZodRecord':
      return [def.keyType, def.valueType];
    default:
      return undefined;
  }
};
