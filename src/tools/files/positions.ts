/**
 * Where one sequence stands in another, without overlaps, in time linear in both (Knuth, Morris and Pratt).
 *
 * `indexOf` compares anew at each place: a text and a part that repeat one line make it take minutes.
 *
 * @param most positions after which it ends
 */
export const positionsOf = <T>(
  length: number,
  at: (index: number) => T,
  part: readonly T[],
  most: number,
): number[] => {
  const found: number[] = [];
  const borders = bordersOf(part);
  let matched = 0;
  for (let index = 0; index < length && found.length < most; index++) {
    const value = at(index);
    while (matched > 0 && part[matched] !== value) matched = borders[matched - 1] as number;
    if (part[matched] === value) matched++;
    if (matched < part.length) continue;
    found.push(index - part.length + 1);
    matched = 0;
  }
  return found;
};

/** For each beginning of a sequence: the length of its longest end that the sequence also begins with. */
const bordersOf = <T>(part: readonly T[]): number[] => {
  const borders = [0];
  for (let index = 1, matched = 0; index < part.length; index++) {
    while (matched > 0 && part[matched] !== part[index]) matched = borders[matched - 1] as number;
    if (part[matched] === part[index]) matched++;
    borders.push(matched);
  }
  return borders;
};
