/**
 * Whether a sed script only prints and substitutes: no `e` or `w` in any of its forms.
 *
 * Only what this grammar takes is plain; sed knows more, and some of it runs commands and writes files.
 */
export const isPlainSed = (script: string): boolean => {
  const address = String.raw`(?:\d+|\$|/(?:[^/\\\n]|\\[^\n])*/I?)`;
  const range = String.raw`(?:${address}(?:,(?:${address}|[+~]\d+))?\s*!?\s*)?`;
  const substitute = ['/', '|', '#', ',', '@', ':', '!', '%', '~', '_'].map((mark) => {
    const body = String.raw`(?:[^${mark}\\\n]|\\[\s\S])*`;
    return `[sy]${mark === '|' ? '\\|' : mark}${body}${mark === '|' ? '\\|' : mark}${body}${mark === '|' ? '\\|' : mark}[gpiI\\d]*`;
  });
  const command = `(?:[pdqQ=NnDGgHhPxl]|${substitute.join('|')}|[aic]\\\\?[ \\t]*[^\\n;{}\\\\]*$)`;
  return script
    .split('\n')
    .every((line) => isPlainLine(line, new RegExp(`${range}${command}[ \\t]*(?:;|$)[ \\t]*`, 'y')));
};

const isPlainLine = (line: string, step: RegExp): boolean => {
  let at = line.length - line.trimStart().length;
  while (at < line.length) {
    step.lastIndex = at;
    if (!step.test(line)) return false;
    at = step.lastIndex;
  }
  return true;
};

/** Whether an awk program runs nothing and opens nothing: no `system`, pipe, redirection, `getline`, no indirect call. */
export const isPlainAwk = (program: string): boolean => {
  // Also within texts and patterns: where these end is more than can be told without awk itself.
  const bare = program.replace(/\|\|/g, ' ');
  return !/system|getline|[|@]|printf?\b[^;}]*>|close|include|load/.test(bare);
};

interface Interpreter {
  /** Options that bring code, or make it read code from elsewhere. */
  readonly code: RegExp;
  /** Options whose value is the next word. */
  readonly valued?: RegExp;
}

const python: Interpreter = { code: /^-[bBdEhiIOPqRsSuvVx]*c|^-i/, valued: /^-[WX]$/ };
const node: Interpreter = {
  code: /^(-[a-z]*[epr]|-i$|--(eval|print|require|import|loader|experimental-loader|interactive|env-file|inspect))/,
  valued: /^(-C|--conditions)$/,
};

const interpreters: ReadonlyMap<string, Interpreter> = new Map([
  ['python', python],
  ['python2', python],
  ['python3', python],
  ['pypy3', python],
  ['node', node],
  ['tsx', node],
  ['ts-node', node],
  ['deno', { code: /^(eval|repl|-)/ }],
  ['bun', { code: /^(-e|--eval|-p|--print|-r|--preload)/ }],
  ['perl', { code: /^-[A-Za-z0-9]*[eEMmIxd]/ }],
  ['ruby', { code: /^-[A-Za-z]*[erIxS]/ }],
  ['php', { code: /^-[a-zA-Z]*[rBREFdza]/ }],
  ['lua', { code: /^-[eil]/ }],
  ['Rscript', { code: /^-e/ }],
  ['osascript', { code: /^-e/ }],
]);

/**
 * Whether a language's interpreter gets its program as text or through its standard input rather than as a file;
 * `undefined` for other programs.
 */
export const getsCode = (name: string, args: readonly (string | undefined)[]): boolean | undefined => {
  const shape = interpreters.get(name.replace(/^(python|pypy)3\.\d+$/, '$13'));
  if (shape === undefined) return undefined;
  let at = 0;
  for (; at < args.length; at += 1) {
    const arg = args[at];
    if (arg === undefined || arg === '-' || shape.code.test(arg)) return true;
    if (shape.valued?.test(arg)) at += 1;
    else if (/^(-m|--version|-V|--help|-h|-v|--test|--check|-c)$/.test(arg)) return false;
    else if (!arg.startsWith('-')) return false;
  }
  return true;
};
