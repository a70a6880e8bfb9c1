import { ddArgument, type FileArgument, fileWord, gitFiles, sentFiles } from './fileWords.js';
import type { ShellWord } from './syntax.js';
import { staticValue } from './values.js';

/** What the operands of a program are: the words that are no options. */
type Operands = (operands: readonly ShellWord[], words: readonly ShellWord[]) => readonly FileArgument[];

const all =
  (access: 'read' | 'edit', skip = 0): Operands =>
  (operands) =>
    operands.slice(skip).map((word) => ({ access, word }));

const copies =
  (source: 'read' | 'edit'): Operands =>
  (operands, words) => {
    // `-t folder` names the target first: then any of them may be it.
    const isTargetFirst = option(words, /^-[a-zA-Z]*t/);
    return operands.map((word, index) => {
      const isTarget = isTargetFirst || index === operands.length - 1;
      return { access: isTarget ? 'edit' : source, word };
    });
  };

const option = (words: readonly ShellWord[], pattern: RegExp): boolean =>
  words.some((word) => pattern.test(staticValue(word) ?? ''));

const grep: Operands = (operands, words) => {
  const hasPattern = option(words, /^(-[a-zA-Z]*[ef]|--(regexp|file)(=|$))/);
  return all('read', hasPattern ? 0 : 1)(operands, words);
};

const sed: Operands = (operands, words) => {
  const hasScript = option(words, /^(-[a-zA-Z]*[ef]|--(ex|f))/);
  const access = option(words, /^(-[a-zA-Z]*i|--i)/) ? 'edit' : 'read';
  return all(access, hasScript ? 0 : 1)(operands, words);
};

const tar: Operands = (operands, words) => {
  const writes = option(words.slice(1), /^(-?[a-zA-Z]*[crux]|--(create|append|update|extract|get|delete))/);
  return [...all(writes ? 'edit' : 'read')(operands, words), ...(writes ? [fileWord('edit', '.')] : [])];
};

const curl: Operands = (_, words) => [
  ...sentFiles(words),
  ...afterOption(
    words,
    /^(-[a-zA-Z]*[oOPDc]|--(output|output-document|output-dir|directory-prefix|dump-header|cookie-jar))$/,
    'edit',
  ),
];
const sort: Operands = (operands, words) => [
  ...all('read')(operands, words),
  ...afterOption(words, /^(-[a-zA-Z]*o|--output)$/, 'edit'),
];

const afterOption = (
  words: readonly ShellWord[],
  pattern: RegExp,
  access: 'read' | 'edit',
): readonly FileArgument[] =>
  words.flatMap((word, index) => {
    const next = words[index + 1];
    return next !== undefined && pattern.test(staticValue(word) ?? '') ? [{ access, word: next }] : [];
  });

const table = (names: string, operands: Operands): readonly (readonly [string, Operands])[] =>
  names.split(' ').map((name) => [name, operands]);

const programs: ReadonlyMap<string, Operands> = new Map([
  ...table(
    'cat head tail less more wc bat nl tac od xxd hexdump strings file stat md5sum sha1sum sha256sum sha512sum',
    all('read'),
  ),
  ...table(
    'cksum sum diff cmp comm join uniq cut paste fold rev base64 base32 column zcat zless bzcat xzcat ls du tree',
    all('read'),
  ),
  ...table(
    'readlink source . expand unexpand fmt pr look iconv gpg openssl sqlite3 python python3 node perl ruby php sh bash dash zsh tsx',
    all('read'),
  ),
  ...table('grep egrep fgrep rg ag jq yq awk gawk mawk nawk', grep),
  ...table(
    'rm rmdir unlink shred touch mkdir mkfifo tee truncate gzip gunzip bzip2 bunzip2 xz unxz unzip zip nano vim vi nvim ed ex emacs mktemp split csplit patch sudoedit',
    all('edit'),
  ),
  ...table('chmod chown chgrp setfacl chattr', all('edit', 1)),
  ...table('cp install rsync scp', copies('read')),
  ...table('mv', copies('edit')),
  ...table('ln link', copies('read')),
  ['sed', sed],
  ['tar', tar],
  ['sort', sort],
  ['date', (_, words) => afterOption(words, /^(-[a-zA-Z]*f|--file)$/, 'read')],
  ['find', (operands) => all('read')(beforeFirst(operands, /^[(!]/), [])],
  ['curl', curl],
  ['wget', curl],
]);

const beforeFirst = (words: readonly ShellWord[], pattern: RegExp): readonly ShellWord[] => {
  const at = words.findIndex((word) => pattern.test(staticValue(word) ?? ''));
  return at === -1 ? words : words.slice(0, at);
};

/** The files that a well-known file command reads or changes; none for other programs. */
export const fileArguments = (name: string, words: readonly ShellWord[]): readonly FileArgument[] => {
  const files = namedFiles(name, words);
  if (!reachesBelow(name, words)) return files;
  // A search that names no folder begins where it stands.
  const begun = files.length === 0 && isSearch(name, words) ? [fileWord('read', '.')] : files;
  return begun.map((file) => ({ ...file, below: true }));
};

/** What `ls -R` and `tree` show of a folder are names, no content. */
const folders = new Set(['rg', 'ag', 'ack', 'tar', 'rsync', 'zip']);
const recursive = new Set('grep egrep fgrep zgrep cp scp rm diff chmod chown chgrp setfacl'.split(' '));

/** Whether it goes into folders, so that files are read or changed that nobody has named. */
const reachesBelow = (name: string, words: readonly ShellWord[]): boolean => {
  if (folders.has(name) || isGitGrep(name, words)) return true;
  const flag = name === 'cp' ? /^(-[a-zA-Z]*[rRa]|--(recursive|archive)$)/ : recursion;
  return recursive.has(name) && (option(words.slice(1), flag) || option(words, /^recurse$/));
};

const recursion = /^(-[a-zA-Z]*[rR]|--(recursive|dereference-recursive|directories=recurse)$)/;

const isGitGrep = (name: string, words: readonly ShellWord[]): boolean =>
  name === 'git' && words.slice(1).some((word) => staticValue(word) === 'grep');

const isSearch = (name: string, words: readonly ShellWord[]): boolean =>
  /^(rg|ag|ack|[efz]?grep)$/.test(name) || isGitGrep(name, words);

const namedFiles = (name: string, words: readonly ShellWord[]): readonly FileArgument[] => {
  if (name === 'git') return gitFiles(words);
  if (name === 'dd') return words.flatMap(ddArgument);
  const operandsOf = programs.get(name);
  if (operandsOf === undefined) return [];
  const args = words.slice(1);
  const searched = name === 'find' ? beforeFirst(args, /^-[a-z]{2}/) : args;
  return [...operandsOf(operandsIn(searched), words), ...attached(args)];
};

const operandsIn = (args: readonly ShellWord[]): readonly ShellWord[] => {
  const end = args.findIndex((word) => staticValue(word) === '--');
  const before = end === -1 ? args : args.slice(0, end);
  const after = end === -1 ? [] : args.slice(end + 1);
  return [...before.filter((word) => !/^-|^\+\d/.test(staticValue(word) ?? word.text)), ...after];
};

/** Files within options: `--target-directory=x`, `--output=x`. What follows `-t` is an operand anyway. */
const attached = (args: readonly ShellWord[]): readonly FileArgument[] =>
  args.flatMap((word) => {
    const [, name = '', value] = /^--([a-z-]+)=(.+)$/s.exec(staticValue(word) ?? '') ?? [];
    if (value === undefined) return [];
    if (/^(target-directory|output|output-document|directory|output-dir|suffix-file)$/.test(name))
      return [fileWord('edit', value)];
    return /^(file|from-file|files0-from|reference|files-from|include-from|exclude-from)$/.test(name)
      ? [fileWord('read', value)]
      : [];
  });
