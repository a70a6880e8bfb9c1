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

/** Whether some longer list that begins with these items could match: what lies below a folder, by segment. */
export const mayMatchBelow = <T>(pattern: readonly Element<T>[], items: readonly T[]): boolean => {
  let places: ReadonlySet<number> = reachable(pattern, [0]);
  for (const item of items) {
    const next: number[] = [];
    for (const place of places) {
      const element = pattern[place];
      if (element === 'many') next.push(place);
      else if (element?.(item)) next.push(place + 1);
    }
    places = reachable(pattern, next);
    if (places.size === 0) return false;
  }
  return true;
};

/** `many` may stand for nothing. */
const reachable = <T>(pattern: readonly Element<T>[], from: readonly number[]): ReadonlySet<number> => {
  const places = new Set<number>();
  for (let place of from) {
    places.add(place);
    while (pattern[place] === 'many') places.add(++place);
  }
  return places;
};
