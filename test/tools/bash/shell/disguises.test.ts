import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isReadOnlyCommand } from '../../../../src/tools/bash/shell/index.js';
import { disguised } from './disguises.js';
import { judge } from './judge.js';

const deny = ['Bash(git clean:*)'];
const everything = judge({ allow: ['Bash', 'Read', 'Edit'], deny });
const many = judge({
  allow: [
    'git',
    'echo',
    'cat',
    'env',
    'sh',
    'bash',
    'timeout',
    'xargs',
    'find',
    'eval',
    'f',
    'g',
    'printf',
    'true',
    ':',
  ]
    .map((name) => `Bash(${name} *)`)
    .concat('Read(//**)', 'Edit(//**)'),
  deny,
});

describe('a denied command', () => {
  it('is never allowed, however it is written and wrapped', () => {
    fc.assert(
      fc.property(disguised, ({ text }) => everything(text) !== 'allow' && many(text) !== 'allow'),
      { numRuns: 1500 },
    );
  });

  it('is never taken for one that only reads', () => {
    fc.assert(
      fc.property(disguised, ({ text }) => !isReadOnlyCommand(text)),
      { numRuns: 1000 },
    );
  });
});

const programs = [
  'bash',
  'sh',
  'cat',
  'env',
  'find',
  'nice',
  'nohup',
  'stdbuf',
  'timeout',
  'xargs',
  'printf',
];
const hasBash = existsSync('/bin/bash') || existsSync('/usr/bin/bash');

describe.runIf(hasBash)('the disguises', () => {
  let folder = '';

  // A folder of programs in which `git` only notes what it was asked for.
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'millrace-shell-'));
    mkdirSync(join(folder, 'bin'));
    mkdirSync(join(folder, 'cwd'));
    for (const name of programs) {
      // Where `sh` is another shell, some of the forms mean something else there.
      const program = name === 'sh' ? 'bash' : name;
      const found = execFileSync('/bin/sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim();
      if (found.startsWith('/')) symlinkSync(found, join(folder, 'bin', name));
    }
    const git = join(folder, 'bin', 'git');
    writeFileSync(git, `#!/bin/sh\necho "git $*" >> ${join(folder, 'ran')}\n`);
    chmodSync(git, 0o755);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const whatRan = (text: string): string => {
    rmSync(join(folder, 'ran'), { force: true });
    const env = { PATH: join(folder, 'bin'), HOME: folder };
    spawnSync('bash', ['-c', text], { cwd: join(folder, 'cwd'), env, timeout: 10_000, input: '' });
    return existsSync(join(folder, 'ran')) ? readFileSync(join(folder, 'ran'), 'utf8') : '';
  };

  it('do run the command in a real shell, so that the law above is about something', () => {
    const samples = fc.sample(disguised, { numRuns: 60, seed: 7 });
    const inert = samples.filter(({ text }) => !whatRan(text).startsWith('git clean'));
    expect(inert.map(({ text }) => text)).toEqual([]);
  });
});
