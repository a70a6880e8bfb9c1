import { failure, isFailure, type ToolFailure } from '../../contract/index.js';
import { braceRange } from './braceRange.js';
import { classSource } from './characterClass.js';
import type { GlobToken } from './globTokens.js';

/** Values of all ranges such as `{1..9}` in one pattern. */
const MAX_RANGE_VALUES = 1000;

interface Group {
  readonly close: number;
  readonly separators: number;
}

/**
 * A glob pattern as a regular expression for a linear engine: no lookaround, alternatives kept as such.
 *
 * Braces are not multiplied out: `{a,b}{a,b}{a,b}` grows by what is written, not by what it stands for.
 */
export const globSource = (tokens: readonly GlobToken[]): string | ToolFailure =>
  new GlobWriter(tokens).write();

class GlobWriter {
  readonly #tokens: readonly GlobToken[];
  readonly #groups: ReadonlyMap<number, Group>;
  /** Groups that are open: how each ends, and whether it began a part of the path. */
  readonly #open: { readonly sign: string; readonly close: number; readonly begins: boolean }[] = [];
  #source = '';
  #begins = true;
  #values = 0;

  constructor(tokens: readonly GlobToken[]) {
    this.#tokens = tokens;
    this.#groups = groupsOf(tokens);
  }

  write(): string | ToolFailure {
    for (let at = 0; at < this.#tokens.length; at++) {
      const next = this.#writeAt(at, this.#tokens[at] as GlobToken);
      if (isFailure(next)) return next;
      at = next;
    }
    return this.#source;
  }

  /** Writes one token, or several; returns the last. */
  #writeAt(at: number, token: GlobToken): number | ToolFailure {
    if (token.type === 'open') return this.#openGroup(at, token.text);
    if (token.type === 'globstar') return this.#globstar(at);
    if (token.type === 'separator' || token.type === 'close') this.#endPart(at, token);
    else this.#add(plainSource(token), token.type === 'slash');
    return at;
  }

  #add(source: string, begins: boolean): void {
    this.#source += source;
    this.#begins = begins;
  }

  #openGroup(at: number, text: string): number | ToolFailure {
    if (text === '!(')
      return failure(
        'The pattern can\'t be used: a negated group "!(…)" is not supported. List what to find.',
      );
    const group = this.#groups.get(at);
    if (text === '{' && (group === undefined || group.separators === 0)) return this.#range(at, group);
    if (group === undefined) this.#add(unopened(text), false);
    else {
      this.#open.push({
        sign: text === '{' ? '' : (text[0] as string),
        close: group.close,
        begins: this.#begins,
      });
      this.#source += '(?:';
    }
    return at;
  }

  /** `{1..9}`; braces without a comma that are none are text. */
  #range(at: number, group: Group | undefined): number | ToolFailure {
    const inside = group === undefined ? undefined : this.#tokens.slice(at + 1, group.close);
    const values = inside === undefined ? undefined : braceRange(inside);
    if (group === undefined || values === undefined) this.#add('\\{', false);
    if (group === undefined || values === undefined) return at;
    this.#values += values.count;
    if (this.#values > MAX_RANGE_VALUES) {
      const limit = `${MAX_RANGE_VALUES} values`;
      return failure(
        `The pattern can't be used: its ranges in braces stand for more than ${limit}. Use "*".`,
      );
    }
    this.#add(`(?:${values.list().map(quoted).join('|')})`, false);
    return group.close;
  }

  #endPart(at: number, { text }: { readonly text: string }): void {
    const group = this.#open.at(-1);
    if (group !== undefined && group.close === at) {
      this.#open.pop();
      this.#add(group.sign === '' || group.sign === '@' ? ')' : `)${group.sign}`, false);
    } else if (group !== undefined && text === (group.sign === '' ? ',' : '|')) this.#add('|', group.begins);
    else this.#add(quoted(text), false);
  }

  /** Folders, where it fills a part of the path; beside other characters it is a star like any. */
  #globstar(at: number): number {
    const next = this.#tokens[at + 1];
    const ends = next === undefined || next.type === 'close' || next.type === 'separator';
    if (this.#begins && next?.type === 'slash') {
      this.#add('(?:[^/]+/)*', true);
      return at + 1;
    }
    this.#add(this.#begins && ends ? '(?:[^/]+/)*[^/]+' : '[^/]*', false);
    return at;
  }
}

const plainSource = (
  token: Exclude<GlobToken, { readonly type: 'open' | 'separator' | 'close' }>,
): string => {
  if (token.type === 'literal') return quoted(token.text);
  if (token.type === 'class') return classSource(token.ranges, token.negated);
  if (token.type === 'slash') return '/';
  return token.type === 'one' ? '[^/]' : '[^/]*';
};

/** A group that is never closed is what its characters are alone. */
const unopened = (text: string): string => {
  if (text === '*(') return '[^/]*\\(';
  return text === '?(' ? '[^/]\\(' : quoted(text);
};

const quoted = (text: string): string => text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');

/** Which opening token belongs to which closing one, and how many separators of its own it has; one pass. */
const groupsOf = (tokens: readonly GlobToken[]): ReadonlyMap<number, Group> => {
  const groups = new Map<number, Group>();
  const open: { readonly at: number; readonly brace: boolean; separators: number }[] = [];
  tokens.forEach((token, at) => {
    const last = open.at(-1);
    if (token.type === 'open') open.push({ at, brace: token.text === '{', separators: 0 });
    else if (last === undefined) return;
    else if (token.type === 'separator' && (token.text === ',') === last.brace) last.separators++;
    else if (token.type === 'close' && (token.text === '}') === last.brace) {
      groups.set(last.at, { close: at, separators: last.separators });
      open.pop();
    }
  });
  return groups;
};
