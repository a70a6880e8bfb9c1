import { chapters, isBypass, isNeedless, type Judged, judgeCorpus } from './corpus.js';

/** `npm run shell-corpus`: what becomes of every command of the corpus, and how many get around the rules. */
const judged = judgeCorpus();
const shown = (text: string): string => {
  const line = JSON.stringify(text).replace(
    /[^ -~]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return line.length > 90 ? `${line.slice(0, 87)}…"` : line;
};
const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`;

for (const chapter of chapters) {
  const own = judged.filter((each) => each.chapter === chapter);
  console.log(`\n${chapter.name} (rules: ${chapter.rules}; expected: ${chapter.expected})`);
  for (const { command, decision } of own) {
    console.log(`  ${decision === chapter.expected ? ' ' : '!'} ${decision.padEnd(5)} ${shown(command)}`);
  }
}

const count = (list: readonly Judged[], test: (each: Judged) => boolean): number => list.filter(test).length;
const plain = judged.filter(({ chapter }) => chapter.name === 'plain');
const guarded = judged.filter(({ chapter }) => chapter.expected !== 'allow');
const bypasses = count(judged, isBypass);
console.log(`\n${judged.length} commands, ${judged.length - plain.length} beside ${plain.length} plain ones`);
for (const decision of ['allow', 'ask', 'deny'] as const) {
  console.log(`  ${decision.padEnd(5)} ${count(judged, (each) => each.decision === decision)}`);
}
console.log(`bypasses: ${bypasses} of ${guarded.length}`);
console.log(`plain commands asked needlessly: ${percent(count(plain, isNeedless), plain.length)}`);
if (bypasses > 0 || count(plain, isNeedless) > plain.length / 20) process.exitCode = 1;
