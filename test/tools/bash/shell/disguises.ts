// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the shell's own

import fc from 'fast-check';

/** A Bash text that runs a command somewhere, and whether words may be put before it as before a program's name. */
export interface Disguised {
  readonly text: string;
  readonly isSimple: boolean;
}

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const hex = (text: string): string =>
  [...text].map((char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`).join('');

/** Ways to write a word that the shell takes for the same. */
const spellings: readonly ((word: string) => string)[] = [
  (word) => word,
  (word) => `'${word}'`,
  (word) => `"${word}"`,
  (word) => `${word[0]}''${word.slice(1)}`,
  (word) => `${word[0]}"${word.slice(1)}"`,
  (word) => `${word[0]}\\${word.slice(1)}`,
  (word) => `$'${hex(word)}'`,
  (word) => `${word[0]}\\\n${word.slice(1)}`,
];

const spelled = (word: string): fc.Arbitrary<string> =>
  fc.constantFrom(...spellings).map((spelling) => spelling(word));

/** Forms around any text. It stands on lines of its own, for it may end in a comment or a here-document. */
const around: readonly ((text: string) => string)[] = [
  (text) => `true && {\n${text}\n}`,
  (text) => `false || {\n${text}\n}`,
  (text) => `:; ${text}`,
  (text) => `: | {\n${text}\n}`,
  (text) => `{\n${text}\n} | cat`,
  (text) => `( ${text}\n)`,
  (text) => `! {\n${text}\n}`,
  (text) => `if ${text}\nthen :; fi`,
  (text) => `while ${text}\ndo break; done`,
  (text) => `until {\n${text}\n}; do break; done`,
  (text) => `for i in 1; do ${text}\ndone`,
  (text) => `for ((i = 0; i < 1; i++)); do\n${text}\ndone`,
  (text) => `case x in x)\n${text}\n;; esac`,
  (text) => `case y in x) : ;; *)\n${text}\n;; esac`,
  (text) => `echo $(\n${text}\n)`,
  (text) => `echo "a $(\n${text}\n) b"`,
  (text) => `echo \`${text.replace(/[\\`$]/g, '\\$&')}\n\``,
  (text) => `cat <(\n${text}\n)`,
  (text) => `f() {\n${text}\n}; f`,
  (text) => `function g {\n${text}\n}\ng`,
  (text) => `echo() {\n${text}\n}\necho hello`,
  (text) => `sh -c ${quote(text)}`,
  (text) => `bash -ec ${quote(text)}`,
  (text) => `eval ${quote(text)}`,
  (text) => `trap ${quote(text)} EXIT`,
  (text) => `bash <<< ${quote(text)}`,
  (text) => `bash <<'END'\n${text}\nEND`,
  (text) => `cat <<END\n$(\n${text}\n)\nEND`,
  (text) => `printf '%s' ${quote(text)} | bash`,
  (text) => `run=${quote(text)}; eval "$run"`,
  (text) => `: "\${unset:-$(\n${text}\n)}"`,
  (text) => `: $((1 + $(\n${text} >&2\necho 1)))`,
  (text) => `[[ -n $(\n${text}\n) ]]`,
  (text) => `kept=$(\n${text}\n)`,
  (text) => `kept=(a $(\n${text}\n))`,
  (text) => `${text}\n# and so on`,
  (text) => `${':\n'.repeat(60)}${text}`,
  (text) => `\n\n\t${text}`,
  (text) => `{ time {\n${text}\n}; }`,
  (text) => `{\n${text}\n} > /dev/null 2>&1`,
  (text) => `timeout 5 bash -c ${quote(text)}`,
];

/** Forms around a program and its words. */
const before: readonly ((text: string) => string)[] = [
  (text) => `timeout 5 ${text}`,
  (text) => `timeout --signal=KILL -k 1 5 ${text}`,
  (text) => `nice ${text}`,
  (text) => `nice -n 5 ${text}`,
  (text) => `nohup ${text}`,
  (text) => `stdbuf -oL ${text}`,
  (text) => `env ${text}`,
  (text) => `env -u HOME A=1 ${text}`,
  (text) => `command ${text}`,
  (text) => `command -- ${text}`,
  (text) => `exec ${text}`,
  (text) => `A=1 ${text}`,
  (text) => `NODE_ENV=test ${text}`,
  (text) => `>/dev/null ${text}`,
  (text) => `echo x | xargs ${text}`,
  (text) => `echo x | xargs -I{} ${text}`,
  (text) => `find . -maxdepth 0 -exec ${text} \\;`,
  (text) => `set -- ${text}; "$@"`,
  (text) => `time ${text}`,
  (text) => `! ${text}`,
  (text) => `eval ${text}`,
];
// `time` and `!` are part of the shell's grammar, and `eval` of what it is given: nothing may stand before them.
const keywords = new Set(['time ', '! ', '>/de', 'A=1 ', 'NODE', 'echo', 'find', 'set ']);

/** `git clean -fd`, written and wrapped in up to five ways at once. */
export const disguised: fc.Arbitrary<Disguised> = fc
  .tuple(
    spelled('git'),
    spelled('clean'),
    fc.constantFrom('', ' -fd', " '-fd'", ' -f -d', ' --force'),
    fc.array(fc.nat({ max: around.length + before.length - 1 }), { maxLength: 5 }),
  )
  .map(([git, clean, flags, forms]) =>
    forms.reduce<Disguised>(wrap, { text: `${git} ${clean}${flags}`, isSimple: true }),
  );

const wrap = ({ text, isSimple }: Disguised, form: number): Disguised => {
  const outer = around[form];
  if (outer !== undefined) return { text: outer(text), isSimple: false };
  const inner = before[form - around.length];
  // `eval` takes the quotes off once more: another text than the one that was meant.
  if (inner === undefined || !isSimple || /[\\'"$]/.test(text)) return { text, isSimple };
  const wrapped = inner(text);
  return { text: wrapped, isSimple: !keywords.has(wrapped.slice(0, 4)) && !wrapped.startsWith('! ') };
};
