import { isPlainAwk, isPlainSed } from './scripts.js';

/** The words of a command as it gets them; `undefined` for what is only known when it runs. */
export type Arguments = readonly (string | undefined)[];

const some =
  (pattern: RegExp) =>
  (args: Arguments): boolean =>
    args.some((arg) => arg !== undefined && pattern.test(arg));

const firstOperand = (args: Arguments): string | undefined =>
  args.find((arg) => arg === undefined || !arg.startsWith('-'));

const awkDanger = (args: Arguments): boolean => {
  if (args.some((arg) => arg !== undefined && /^-([fEleio]|-(file|exec|load|include|source))/.test(arg)))
    return true;
  const programs = args.filter((arg) => arg === undefined || /[{}/$]|BEGIN|END/.test(arg));
  return programs.length === 0 || !programs.every((arg) => arg !== undefined && isPlainAwk(arg));
};

/** The scripts among a sed's words; `undefined` where they can't be told. */
export const sedScripts = (args: Arguments): readonly string[] | undefined => {
  if (!args.every((arg) => arg !== undefined)) {
    const first = firstOperand(args);
    const isGiven = args.some((arg) => arg !== undefined && /^(-[a-zA-Z]*[ef]|--(f|ex))/.test(arg));
    return first === undefined || isGiven ? undefined : [first];
  }
  // A script within an option's word, or in a file, is not looked for.
  if (args.some((arg) => /^(-[a-zA-Z]*(f|e.)|--(f|ex))/.test(arg))) return undefined;
  const given = args.flatMap((arg, index) => (/^-[a-zA-Z]*e$/.test(arg) ? [args[index + 1] ?? ''] : []));
  const [first] = args.filter((arg) => !arg.startsWith('-'));
  return given.length > 0 ? given : first === undefined ? undefined : [first];
};

/** Those whose dangerous words hold commands in a language that is not looked into. */
export const opaque = new Set([
  'awk',
  'gawk',
  'mawk',
  'nawk',
  'sed',
  'vim',
  'vi',
  'nvim',
  'less',
  'more',
  'tar',
  'make',
  'gmake',
]);

/** Programs that some of their words make run others. */
export const dangers: ReadonlyMap<string, (args: Arguments) => boolean> = new Map([
  [
    'tar',
    (args) =>
      some(/^(--(ch|to-c|use|rsh|info-|new-v|rmt)|-[a-zA-Z]*[IF])/)(args) ||
      /^[a-zA-Z]*[IF][a-zA-Z]*$/.test(args[0] ?? ''),
  ],
  ['awk', awkDanger],
  ['gawk', awkDanger],
  ['mawk', awkDanger],
  ['nawk', awkDanger],
  ['sed', (args) => sedScripts(args)?.every(isPlainSed) !== true],
  ['vim', () => true],
  ['vi', () => true],
  ['nvim', () => true],
  ['less', some(/^(\+|-[a-zA-Z]*[kotT]|--(lesskey|log|tag))/)],
  ['more', some(/^\+/)],
  ['man', some(/^(-[A-Za-z]*[PHC]|--(pager|html|browser|config))/)],
  ['make', some(/^(--eval|-E|-f-$|SHELL=|MAKEFLAGS|\.SHELLFLAGS)|=.*[\s$`]/)],
  ['gmake', some(/^(--eval|-E|-f-$|SHELL=|MAKEFLAGS|\.SHELLFLAGS)|=.*[\s$`]/)],
  ['rsync', some(/^(-[a-zA-Z]*e|--(rsh|rsync-))/)],
  ['scp', some(/^-[a-zA-Z0-9]*[SoF]/)],
  ['sftp', some(/^-[a-zA-Z0-9]*[SobF]/)],
  ['sort', some(/^--co/)],
  ['rg', some(/^--(pre|hostname-bin)/)],
  ['zip', some(/^(-[a-zA-Z]*T|--unzip)/)],
  ['split', some(/^--fi/)],
  ['npx', some(/^(-[a-z]*c|--(call|shell))/)],
  ['npm', some(/^(--(call|script-shell|node-options|git|viewer|editor|shell)|-c$)/)],
  ['docker', some(/^(--privileged)/)],
  ['wget', some(/^(-[a-zA-Z]*e|--(use-askpass|execute))/)],
  ['go', some(/^-(exec|toolexec|vettool)/)],
  ['cargo', some(/^--config/)],
  ['patch', some(/^(-[a-zA-Z]*e|--ed)/)],
  ['sqlite3', some(/\.\s*(sh|sys)|edit\(|^-(cmd|init)/)],
  ['psql', some(/\\|program/i)],
  ['mysql', some(/system|\\!/)],
]);
