import { RE2JS, RE2JSException, RE2JSSyntaxException } from 're2js';
import { failure, type ToolFailure } from '../../contract/index.js';

/** Characters of a pattern; the time it takes to compile grows with them. */
export const MAX_PATTERN_CHARS = 1000;
/** Steps a compiled pattern may have; counted repetitions multiply them. */
const MAX_STEPS = 5000;
/** Steps times characters one test may cost: some 200 ms in the worst case, 10 in a common one. */
const TEST_COST = 5_000_000;
/** The same for a text that is searched as it is, where a step costs a hundredth. */
const LITERAL_COST = 100_000_000;

/** A pattern whose test takes time linear in the text, whatever the pattern. */
export interface LinearPattern {
  /** Whether it is found anywhere in a text. */
  test(text: string): boolean;
  /** Characters of the longest text that may be tested without holding up the event loop. */
  readonly maxChars: number;
}

/**
 * Compiles a regular expression of RE2, the syntax of ripgrep: no lookaround, no back-references.
 *
 * JavaScript's own engine tries every way a pattern can match: `^(a+)+$` on forty letters takes it years, and no
 * stop request reaches it meanwhile. Returns a failure that names what is not supported.
 */
export const linearPattern = (source: string, ignoreCase: boolean): LinearPattern | ToolFailure => {
  if (source.length > MAX_PATTERN_CHARS)
    return failure(`The pattern is longer than ${MAX_PATTERN_CHARS} characters. Search for a part of it.`);
  // Half a character would be found within a whole one.
  if (!ignoreCase && /^[^\\^$.|?*+()[\]{}]+$/.test(source) && source.isWellFormed())
    return { test: (text) => text.includes(source), maxChars: LITERAL_COST / source.length };
  try {
    const compiled = RE2JS.compile(withoutUnicodeEscapes(source), ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
    const steps = compiled.programSize();
    if (steps > MAX_STEPS) return failure('The pattern repeats too much. Use smaller counts in braces.');
    return { test: (text) => compiled.test(text), maxChars: TEST_COST / steps };
  } catch (error) {
    return failure(`The pattern can't be used: ${fault(error)}`);
  }
};

/** JavaScript writes `\u00e9` and `\u{e9}` for what RE2 writes as `\x{e9}`; models write either. */
const withoutUnicodeEscapes = (source: string): string =>
  source.replace(
    /\\(?:u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\}|.)/gs,
    (whole, four?: string, any?: string) => {
      const code = four ?? any;
      return code === undefined ? whole : `\\x{${code}}`;
    },
  );

const fault = (error: unknown): string => {
  if (!(error instanceof RE2JSException)) return 'it nests too deeply.';
  if (!(error instanceof RE2JSSyntaxException)) return `${error.message}.`;
  const part = error.getPattern() ?? '';
  return `${unsupported(part) ?? error.getDescription()}: \`${part}\`.`;
};

/** What a part of a pattern is called that other engines take and this one does not. */
const unsupported = (part: string): string | undefined => {
  if (/^\(\?<?[=!]/.test(part)) return 'lookahead and lookbehind are not supported';
  if (/^\\([1-9]|k)/.test(part)) return 'back-references are not supported';
  if (/^[*+?}]\+$/.test(part) || part.startsWith('(?>'))
    return 'possessive repetitions and atomic groups are not supported, nor needed';
  return undefined;
};
