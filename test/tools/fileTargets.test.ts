import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { concatMap, delay, from, lastValueFrom, of, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import {
  type CheckContext,
  createPermissions,
  executeTools,
  type PermissionOptions,
  type RuleTarget,
} from '../../src/index.js';
import { type BuiltinToolsOptions, builtinTools, hiddenBy } from '../../src/tools/index.js';
import { temporaryFolder } from '../node/processes.js';

/** A project with a link to a file inside, one to a file elsewhere, one to a folder elsewhere, and one to nothing. */
const project = () => {
  const outside = temporaryFolder();
  const cwd = temporaryFolder();
  mkdirSync(join(cwd, 'secrets/deep'), { recursive: true });
  writeFileSync(join(cwd, 'a.txt'), 'needle');
  writeFileSync(join(cwd, 'secrets/deep/key.txt'), 'needle');
  writeFileSync(join(outside, 'private.txt'), 'needle');
  symlinkSync('a.txt', join(cwd, 'inside'));
  symlinkSync(join(outside, 'private.txt'), join(cwd, 'elsewhere'));
  symlinkSync(outside, join(cwd, 'folder'));
  symlinkSync('new/file', join(cwd, 'nothing'));
  return { cwd, outside };
};

const asked = {} as CheckContext;
const targetsOf = (cwd: string, name: 'Read' | 'Write' | 'Edit' | 'Glob' | 'Grep', input: object) =>
  builtinTools({ cwd })[name].ruleTargets?.(input as never, asked) as readonly RuleTarget[];
const opinionOf = (options: BuiltinToolsOptions, name: 'Read' | 'Glob' | 'Grep', input: object) =>
  builtinTools(options)[name].checkPermissions?.(input as never, asked);

describe('what rules compare of a file tool', () => {
  it('is the path as named and the real one, also of what is not there yet', () => {
    const { cwd, outside } = project();
    const paths = (file_path: string) => targetsOf(cwd, 'Write', { file_path, content: '' });
    const edited = (...all: string[]) => [{ type: 'path', access: 'edit', paths: all }];
    expect(paths('a.txt')).toEqual(edited(`${cwd}/a.txt`));
    expect(paths('x/../new/file')).toEqual(edited(`${cwd}/new/file`));
    expect(paths('elsewhere')).toEqual(edited(`${cwd}/elsewhere`, `${outside}/private.txt`));
    expect(paths('folder/new/file')).toEqual(edited(`${cwd}/folder/new/file`, `${outside}/new/file`));
    expect(paths('nothing')).toEqual(edited(`${cwd}/nothing`, `${cwd}/new/file`));
  });

  it('is read or edited, as the tool does it', () => {
    const { cwd } = project();
    const access = (name: 'Read' | 'Edit' | 'Grep', input: object) =>
      targetsOf(cwd, name, input).map((target) => target.type === 'path' && target.access);
    expect(access('Read', { file_path: 'a.txt' })).toEqual(['read']);
    expect(access('Edit', { file_path: 'a.txt', old_string: 'a', new_string: 'b' })).toEqual(['edit']);
    expect(access('Grep', { pattern: 'a' })).toEqual(['read']);
  });

  it('is where a pattern leads, and the folder beside it where it leads out of that', () => {
    const { cwd } = project();
    const paths = (input: object) =>
      targetsOf(cwd, 'Glob', input).flatMap((target) => (target.type === 'path' ? target.paths : []));
    expect(paths({ pattern: 'secrets/*.txt' })).toEqual([`${cwd}/secrets`]);
    expect(paths({ pattern: '../*', path: 'secrets' })).toEqual([cwd, `${cwd}/secrets`]);
    expect(paths({ pattern: '/etc/*' })).toEqual(['/etc', cwd]);
  });

  it('says so where links go round in a circle: nobody can tell what would be touched', () => {
    const { cwd } = project();
    symlinkSync('round', join(cwd, 'round'));
    expect(targetsOf(cwd, 'Read', { file_path: 'round' })).toMatchObject([
      { type: 'path' },
      { type: 'unparsed' },
    ]);
  });

  it('is looked up anew each time', () => {
    const { cwd, outside } = project();
    expect(targetsOf(cwd, 'Read', { file_path: 'a.txt' })).toMatchObject([{ paths: [`${cwd}/a.txt`] }]);
    rmSync(join(cwd, 'a.txt'));
    symlinkSync(join(outside, 'private.txt'), join(cwd, 'a.txt'));
    expect(targetsOf(cwd, 'Read', { file_path: 'a.txt' })).toMatchObject([
      { paths: [`${cwd}/a.txt`, `${outside}/private.txt`] },
    ]);
  });
});

describe('a tool that reads', () => {
  it('allows itself below its folders, and has no opinion elsewhere or behind a link that leads there', () => {
    const { cwd, outside } = project();
    const read = (file_path: string, options = {}) => opinionOf({ cwd, ...options }, 'Read', { file_path });
    expect(read('a.txt')).toEqual({ behavior: 'allow' });
    expect(read('inside')).toEqual({ behavior: 'allow' });
    expect(read('elsewhere')).toBeUndefined();
    expect(read('../other')).toBeUndefined();
    expect(read('elsewhere', { additionalDirectories: [outside] })).toEqual({ behavior: 'allow' });
    expect(opinionOf({ cwd }, 'Grep', { pattern: 'a' })).toEqual({ behavior: 'allow' });
    expect(opinionOf({ cwd }, 'Glob', { pattern: '/etc/*' })).toBeUndefined();
  });

  it('does so too where the working directory itself is named by a link', () => {
    const { cwd, outside } = project();
    symlinkSync(cwd, join(outside, 'work'));
    expect(opinionOf({ cwd: join(outside, 'work') }, 'Read', { file_path: 'a.txt' })).toEqual({
      behavior: 'allow',
    });
  });
});

interface Call {
  readonly name: string;
  readonly input: object;
}

const run = async (cwd: string, calls: readonly Call[], given: PermissionOptions) => {
  const permissions = createPermissions({ cwd, home: '/home/nobody', ...given });
  const tools = builtinTools({ cwd, isHidden: hiddenBy(permissions) });
  const toolUses = calls.map((call, at) => ({ type: 'tool_use' as const, id: `t${at}`, ...call }));
  const events = await lastValueFrom(from(toolUses).pipe(executeTools({ tools, permissions }), toArray()));
  return events.flatMap((event) =>
    event.type === 'result' ? [[event.outcome.code, String(event.block.content)] as const] : [],
  );
};

describe('rules about files', () => {
  const rules = { deny: ['Read(./secrets/**)'], allow: ['Edit(./**)'] };

  it('hold for every tool, by either end of a link; reading in the project needs no rule', async () => {
    const { cwd } = project();
    symlinkSync('secrets', join(cwd, 'alias'));
    const codes = await run(
      cwd,
      [
        { name: 'Read', input: { file_path: 'a.txt' } },
        { name: 'Read', input: { file_path: 'secrets/deep/key.txt' } },
        { name: 'Read', input: { file_path: 'alias/deep/key.txt' } },
        { name: 'Read', input: { file_path: 'elsewhere' } },
        { name: 'Write', input: { file_path: 'secrets/new.txt', content: '' } },
        { name: 'Write', input: { file_path: 'new.txt', content: '' } },
        { name: 'Write', input: { file_path: 'folder/new.txt', content: '' } },
        { name: 'Grep', input: { pattern: 'needle', path: 'alias' } },
      ],
      { rules },
    );
    const expected = ['ok', 'denied', 'denied', 'denied', 'denied', 'ok', 'denied', 'denied'];
    expect(codes.map(([code]) => code)).toEqual(expected);
  });

  it('hide files from a search through the folder above them', async () => {
    const { cwd } = project();
    const search = [
      { name: 'Grep', input: { pattern: 'needle' } },
      { name: 'Glob', input: { pattern: '**' } },
    ];
    expect(await run(cwd, search, { rules })).toEqual([
      ['ok', 'a.txt\ninside'],
      ['ok', 'a.txt\ninside'],
    ]);
    expect(await run(cwd, search, { rules: { ask: ['Read(./secrets/**)'] } })).toEqual([
      ['ok', 'a.txt\ninside'],
      ['ok', 'a.txt\ninside'],
    ]);
    expect(await run(cwd, search, { mode: 'default' })).toMatchObject([
      ['ok', 'a.txt\ninside\nsecrets/deep/key.txt'],
      ['ok', 'a.txt\ninside\nsecrets/deep/key.txt'],
    ]);
  });

  it('do not hide what was asked about by its own folder', () => {
    const permissions = createPermissions({ cwd: '/p', rules: { ask: ['Read(./s/**)'] } });
    const isHidden = hiddenBy(permissions);
    expect([isHidden('/p/s/a', '/p'), isHidden('/p/s/a', '/p/s'), isHidden('/p/a', '/p')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('are asked again directly before a change: a link put there meanwhile changes nothing elsewhere', async () => {
    const { cwd, outside } = project();
    const permissions = createPermissions({ cwd, home: '/home/nobody', mode: 'default' });
    const tools = builtinTools({ cwd });
    const swap = (): void => {
      rmSync(join(cwd, 'a.txt'));
      symlinkSync(join(outside, 'private.txt'), join(cwd, 'a.txt'));
    };
    const prompts: string[][] = [];
    const input = { file_path: 'a.txt', content: 'changed' };
    const events = await lastValueFrom(
      of({ type: 'tool_use' as const, id: 't', name: 'Write', input }).pipe(
        executeTools({
          tools,
          permissions,
          canUseTool: ({ targets }) => {
            prompts.push(targets.flatMap((target) => (target.type === 'path' ? target.paths : [])));
            if (prompts.length > 1) return { behavior: 'deny' };
            swap();
            return of({ behavior: 'allow' } as const).pipe(
              delay(1),
              concatMap((answer) => of(answer)),
            );
          },
        }),
        toArray(),
      ),
    );
    expect(prompts).toEqual([[`${cwd}/a.txt`], [`${cwd}/a.txt`, `${outside}/private.txt`]]);
    expect(events.find((event) => event.type === 'result')?.outcome.code).toBe('denied');
  });
});

describe('isHidden', () => {
  const search = async (cwd: string, isHidden: (path: string, root: string) => boolean, path = '.') => {
    const tools = builtinTools({ cwd, isHidden });
    const call = { type: 'tool_use' as const, id: 't', name: 'Glob', input: { pattern: '**', path } };
    const events = await lastValueFrom(of(call).pipe(executeTools({ tools }), toArray()));
    return String(events.find((event) => event.type === 'result')?.block.content).split('\n');
  };

  it('is asked for real paths too: of links, and where the search begins behind one', async () => {
    const { cwd } = project();
    expect(await search(cwd, (path) => path === `${cwd}/a.txt`)).toEqual(['secrets/deep/key.txt']);
    symlinkSync('.', join(cwd, 'again'));
    expect(await search(cwd, (path) => path === `${cwd}/secrets`, 'again')).toEqual([
      'again/a.txt',
      'again/inside',
    ]);
  });

  it('hides where it throws', async () => {
    const { cwd } = project();
    const broken = (path: string): boolean => {
      if (path.includes('secrets')) throw new Error('broken');
      return false;
    };
    expect(await search(cwd, broken)).toEqual(['a.txt', 'inside']);
  });
});
