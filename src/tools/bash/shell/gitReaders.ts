/** Words of a git command; `undefined` for what is only known when it runs. */
type Arguments = readonly (string | undefined)[];

const every =
  (allowed: RegExp) =>
  (args: Arguments): boolean =>
    args.every((arg) => arg !== undefined && allowed.test(arg));

// `--output` writes a file, `--ext-diff` and `--textconv` run programs, `-O` opens a pager; git takes any unambiguous
// beginning of a long option.
const writes = /^(--(o(?!neline$|nly)|ex(?!clude)|te|op|filters)|-O)/;
const history = (args: Arguments): boolean => args.every((arg) => arg !== undefined && !writes.test(arg));

const listing =
  /^(-[avrl]+|-vv|--(all|list|remotes|show-current|merged|no-merged|contains|points-at|sort=.*|format=.*|column|no-color|verbose))$/;

const subcommands: ReadonlyMap<string, (args: Arguments) => boolean> = new Map([
  ...[
    'status',
    'log',
    'diff',
    'show',
    'shortlog',
    'blame',
    'describe',
    'rev-parse',
    'rev-list',
    'ls-files',
    'ls-tree',
    'cat-file',
    'name-rev',
    'merge-base',
    'for-each-ref',
    'show-ref',
    'diff-tree',
    'whatchanged',
    'count-objects',
    'check-ignore',
    'grep',
  ].map((name) => [name, history] as const),
  ['branch', every(listing)],
  [
    'tag',
    (args) =>
      args.length === 0 ||
      (/^(-l|--list|-n\d*)$/.test(args[0] ?? '') && every(/^(-l|--list|-n\d*|[^-].*|--sort=.*)$/)(args)),
  ],
  [
    'remote',
    (args) =>
      args.length === 0 || every(/^(-v|--verbose)$/)(args) || (args[0] === 'get-url' && every(/^[^-]/)(args)),
  ],
  ['stash', (args) => /^(list|show)$/.test(args[0] ?? '') && history(args)],
  [
    'config',
    (args) =>
      /^(--get|--get-all|--list|-l)$/.test(args[0] ?? '') &&
      every(/^(--get|--get-all|--list|-l|--show-origin|--global|--local|[\w.-]+)$/)(args),
  ],
  ['worktree', (args) => args[0] === 'list' && every(/^(list|--porcelain|-v)$/)(args)],
  ['reflog', (args) => args.length === 0 || (args[0] === 'show' && history(args))],
  ['version', every(/^$/)],
  ['--version', every(/^$/)],
]);

/**
 * Whether a git command is certain to read only. Options before the subcommand are let through where they only change
 * how it shows things: `-c` and `--exec-path` run programs, `-C` goes to where another configuration may do so.
 */
export const gitReadsOnly = (args: Arguments): boolean => {
  const at = args.findIndex((arg) => !/^--(no-pager|no-optional-locks|literal-pathspecs)$/.test(arg ?? ''));
  const check = at === -1 ? undefined : subcommands.get(args[at] ?? '');
  return check?.(args.slice(at + 1)) === true;
};
