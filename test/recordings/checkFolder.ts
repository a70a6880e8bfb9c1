import { readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { checkRecording, type Verdict } from './checkRecording.js';

const USAGE = `usage: npm run check:recordings -- DIR

Feeds every NAME.sse below DIR through modelEvents and compares the assembled message with NAME.expected.json
beside it. Ends with 1 where one differs for another reason than that SPEC §4 is stricter.`;

/** Checks a folder of recorded streams; the exit code: 0 all match, 1 some don't, 2 nothing could be checked. */
export const run = async (args: readonly string[], print: (line: string) => void): Promise<number> => {
  const [dir, ...rest] = args;
  if (dir === undefined || rest.length > 0) {
    print(USAGE);
    return 2;
  }
  if (!(await isFolder(dir))) {
    print(`error: ${dir} is no folder that can be read`);
    return 2;
  }
  const files = await streamsBelow(dir);
  if (files.length === 0) {
    print(`error: there is no .sse file below ${dir}`);
    return 2;
  }
  return report(dir, files, print);
};

const report = async (dir: string, files: readonly string[], print: (line: string) => void) => {
  const seen = { match: 0, stricter: 0, differs: 0 } satisfies Record<Verdict['type'], number>;
  for (const file of files) {
    const verdict = await checkRecording(file);
    seen[verdict.type] += 1;
    if (verdict.type === 'match') continue;
    print(
      `${verdict.type === 'stricter' ? 'stricter' : 'DIFFERS '} ${relative(dir, file)}: ${verdict.reason}`,
    );
  }
  const { match, stricter, differs } = seen;
  print(`${files.length} streams: ${match} match, ${stricter} stricter by SPEC §4, ${differs} differ`);
  return differs === 0 ? 0 : 1;
};

const isFolder = async (dir: string): Promise<boolean> => {
  try {
    return (await stat(dir)).isDirectory();
  } catch {
    return false;
  }
};

const streamsBelow = async (dir: string): Promise<readonly string[]> => {
  const names = await readdir(dir, { recursive: true });
  return names
    .filter((name) => name.endsWith('.sse'))
    .sort()
    .map((name) => join(dir, name));
};
