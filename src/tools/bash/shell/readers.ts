import { plainSetting } from './builtins.js';
import { type Arguments, sedScripts } from './dangers.js';
import { baseName } from './forms.js';
import { gitReadsOnly } from './gitReaders.js';
import { isPlainSed } from './scripts.js';
import type { ShellWord } from './syntax.js';
import { opennessOf, staticValue } from './values.js';

/** Programs that only read whatever their words are. */
const anyWords = new Set(
  `: [ basename cat cd cmp cut dirname du echo egrep false fgrep fold grep head id ls md5sum nl nproc od
  paste pwd readlink realpath rev seq sha1sum sha256sum sha512sum sleep stat strings tac tail test tr true tsort uname wc
  which whoami whereis expr cksum sum comm column groups logname popd pushd`.split(/\s+/),
);

/** A check of words that are known; `undefined` among them is one that may be anything. */
type Check = (args: Arguments) => boolean;

const only =
  (allowed: RegExp): Check =>
  (args) =>
    args.every((arg) => arg !== undefined && allowed.test(arg));
const none =
  (forbidden: RegExp): Check =>
  (args) =>
    args.every((arg) => arg !== undefined && !forbidden.test(arg));
const nothing: Check = (args) => args.length === 0;
const version = only(/^(--version|--help|-V|-v)$/);
const versionOnly: Check = (args) => args.length > 0 && version(args);

const set = only(plainSetting);
const sed: Check = (args) => {
  const known = args.every((arg) => arg !== undefined);
  return known && none(/^(-[a-zA-Z]*i|--i)/)(args) && sedScripts(args)?.every(isPlainSed) === true;
};

const checked: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['git', gitReadsOnly],
  // `--pre` and `--hostname-bin` run a program.
  ['rg', none(/^--(pre$|pre=|hostname-bin)/)],
  ['find', none(/^-(exec|execdir|ok|okdir|delete|fprint.*|fls)$/)],
  ['fd', none(/^(-[a-zA-Z]*[xX]|--exec)/)],
  // `-o` writes a file, `--compress-program` runs one; both may be abbreviated or bundled.
  ['sort', none(/^(-[a-zA-Z]*[oT]|--(o|co|t|files))/)],
  // A second operand would be written to.
  ['uniq', (args) => none(/^--?$/)(args) && args.filter((arg) => !/^-/.test(arg ?? '')).length <= 1],
  // Anything else may set the clock.
  ['date', only(/^(\+.*|-u|--utc|-R|-I[a-z]*)$/)],
  // `-C` writes a compiled magic file, and may hide in a bundle of flags.
  ['file', only(/^([^-].*|-[biL]+|--mime(-type|-encoding)?|--brief)$/)],
  ['tree', none(/^(-[a-zA-Z]*[oR]|--output)/)],
  ['diff', none(/^(-[a-zA-Z]*l|--paginate)/)],
  ['jq', none(/^(-[a-zA-Z]*[fL]|--(from-file|rawfile))/)],
  ['sed', sed],
  ['set', set],
  ['printf', (args) => args[0] !== undefined && !args[0].startsWith('-')],
  ['command', (args) => /^-[vV]$/.test(args[0] ?? '')],
  ['type', none(/^$/)],
  ['env', nothing],
  ['printenv', none(/^$/)],
  ['ps', none(/^$/)],
  ['df', none(/^$/)],
  ['hostname', nothing],
  ['exit', only(/^\d{1,3}$/)],
  ['break', nothing],
  ['continue', nothing],
  ['base64', none(/^$/)],
  ['xxd', (args) => none(/^-[a-z]*r/)(args) && args.filter((arg) => !/^-/.test(arg ?? '')).length <= 1],
  ['tput', only(/^(cols|lines|colors)$/)],
  ...[
    'node',
    'npm',
    'python',
    'python3',
    'tsc',
    'cargo',
    'rustc',
    'gcc',
    'java',
    'bash',
    'docker',
    'make',
  ].map((name) => [name, versionOnly] as const),
  ['go', (args) => args.length === 1 && args[0] === 'version'],
]);

/** Whether a program only reads, whatever becomes of words that are not known before it runs. */
export const takesAnyWords = (name: string): boolean => anyWords.has(name) || name === 'printf';

/** Whether a command without wrappers is certain to read only: a closed list of programs, by their plain names. */
export const readsOnly = (words: readonly ShellWord[]): boolean => {
  const [first, ...others] = words;
  const name = first === undefined ? undefined : staticValue(first);
  if (name === undefined || baseName(name) !== name) return false;
  if (anyWords.has(name)) return true;
  // A word that can become no option is as good as one that is none.
  const args = others.map(
    (word) => staticValue(word) ?? (opennessOf(word) === 'value' ? 'value' : undefined),
  );
  return checked.get(name)?.(args) === true;
};
