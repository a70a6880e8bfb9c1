/** One event of the Messages API's stream, as it comes off the wire: nothing but `type` can be relied on. */
export interface WireEvent {
  readonly type: string;
  readonly [key: string]: unknown;
}

export type JsonRecord = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isWireEvent = (value: unknown): value is WireEvent =>
  isRecord(value) && typeof value.type === 'string';

/** The record a member holds; an empty one where the server sent something else, or nothing. */
export const recordOf = (value: unknown): JsonRecord => (isRecord(value) ? value : {});

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Members that hold something: servers send `null` for "does not apply", which must not erase what is known. */
export const present = (record: JsonRecord): JsonRecord =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null && value !== undefined));

/** Sets members in place; one named `__proto__` too is a member, and no prototype. */
export const setMembers = (target: Record<string, unknown>, members: JsonRecord): void => {
  for (const [key, value] of Object.entries(members)) {
    Object.defineProperty(target, key, { value, configurable: true, enumerable: true, writable: true });
  }
};

/** Those members that a record does not have yet. */
export const missing = (record: JsonRecord, members: JsonRecord): JsonRecord =>
  Object.fromEntries(Object.entries(members).filter(([key]) => !Object.hasOwn(record, key)));
