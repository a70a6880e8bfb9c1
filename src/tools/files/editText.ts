import { numbered, plural } from './lines.js';
import type { ChangedLines, Replaced } from './replaceText.js';

/** Lines shown before and after a change. */
const AROUND = 2;
/** Lines shown in all. */
const SHOWN = 60;

/** What an edit tells the model: how much it changed, and the lines as they are now. */
export const changedText = (path: string, { text, changes }: Replaced): string => {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  const stretches = joinStretches(changes, lines.length);
  const all = stretches.flatMap(({ first, last }, index) => {
    const shown = lines.slice(first - 1, last).map((line, at) => numbered(line, first + at));
    return index === 0 ? shown : ['   ...', ...shown];
  });
  const rest = all.length > SHOWN ? [`[${all.length - SHOWN} more lines not shown]`] : [];
  const said = `Edited ${path}: ${plural(changes.length, 'replacement')}.`;
  return [said, ...(all.length === 0 ? ['[the file is empty now]'] : all.slice(0, SHOWN)), ...rest].join(
    '\n',
  );
};

/** Changes with the lines around them; those that touch are one stretch. */
const joinStretches = (changes: readonly ChangedLines[], lineCount: number): ChangedLines[] => {
  const stretches: ChangedLines[] = [];
  for (const change of changes) {
    const first = Math.max(1, change.first - AROUND);
    const last = Math.min(lineCount, change.last + AROUND);
    const before = stretches.at(-1);
    if (before !== undefined && first <= before.last + 1) {
      stretches[stretches.length - 1] = { first: before.first, last: Math.max(before.last, last) };
    } else stretches.push({ first, last });
  }
  return stretches;
};
