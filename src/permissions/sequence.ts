/** One element of a pattern: `many` stands for any number of items, a function for one item. */
export type Element<T> = 'many' | ((item: T) => boolean);

/**
 * Whether a pattern matches all items, from the first to the last.
 *
 * Only the last `many` is ever taken longer: what stands before it has found the leftmost place it can have, and
 * that leaves the most room. So the cost is at most pattern times items, whatever the pattern.
 *
 * @param isPrefix whether it is enough that the pattern matches the first items
 */
export const matchesSequence = <T>(
  pattern: readonly Element<T>[],
  items: readonly T[],
  isPrefix = false,
): boolean => {
  let at = 0;
  let part = 0;
  let many = -1;
  let resume = 0;
  while (at < items.length) {
    const element = pattern[part];
    if (element === 'many') {
      many = part++;
      resume = at;
    } else if (element?.(items[at] as T)) {
      at++;
      part++;
    } else if (element === undefined && isPrefix) {
      return true;
    } else if (many === -1) {
      return false;
    } else {
      part = many + 1;
      at = ++resume;
    }
  }
  return pattern.slice(part).every((element) => element === 'many');
};
