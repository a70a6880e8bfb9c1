import type * as zod from 'zod/v4/core';

/** What the parts of a schema allow to be said of all of it. */
export interface SchemaTraits {
  /** No part of it could answer later. */
  readonly answersAtOnce: boolean;
  /** What it gives shares nothing with what it was given: every object in it is new. */
  readonly copies: boolean;
}

const known = new WeakMap<zod.$ZodType, SchemaTraits>();
const inDoubt: SchemaTraits = { answersAtOnce: false, copies: false };
const plain: SchemaTraits = { answersAtOnce: true, copies: true };
const passing: SchemaTraits = { answersAtOnce: true, copies: false };

/** Looks through a schema of zod 4, once. */
export const traitsOf = (schema: zod.$ZodType): SchemaTraits => {
  let traits = known.get(schema);
  if (traits === undefined) {
    // A schema that contains itself finds this answer on its way.
    known.set(schema, inDoubt);
    traits = read(schema);
    known.set(schema, traits);
  }
  return traits;
};

const both = (parts: readonly zod.$ZodType[]): SchemaTraits => {
  const traits = parts.map(traitsOf);
  return {
    answersAtOnce: traits.every(({ answersAtOnce }) => answersAtOnce),
    copies: traits.every(({ copies }) => copies),
  };
};

const primitives = new Set([
  'string',
  'number',
  'int',
  'boolean',
  'bigint',
  'null',
  'undefined',
  'never',
  'enum',
  'literal',
  'symbol',
  'void',
  'nan',
]);

const passed = new Set(['any', 'unknown', 'date']);

const read = (schema: zod.$ZodType): SchemaTraits => {
  const def = schema._zod.def as PlainDef;
  if (def.checks?.some((check) => check._zod.def.check === 'custom')) return inDoubt;
  if (primitives.has(def.type)) return plain;
  if (passed.has(def.type)) return passing;
  switch (def.type) {
    case 'object':
      return both([...Object.values(def.shape ?? {}), ...(def.catchall ? [def.catchall] : [])]);
    case 'array':
      return def.element === undefined ? inDoubt : traitsOf(def.element);
    case 'optional':
    case 'nullable':
    case 'default':
    case 'readonly':
      return def.innerType === undefined ? inDoubt : traitsOf(def.innerType);
    case 'union':
      return both(def.options ?? []);
    default:
      return inDoubt;
  }
};

/** The members of zod's definitions that are looked at. */
interface PlainDef {
  readonly type: string;
  readonly checks?: readonly { readonly _zod: { readonly def: { readonly check: string } } }[];
  readonly shape?: Readonly<Record<string, zod.$ZodType>>;
  readonly catchall?: zod.$ZodType;
  readonly element?: zod.$ZodType;
  readonly innerType?: zod.$ZodType;
  readonly options?: readonly zod.$ZodType[];
}
