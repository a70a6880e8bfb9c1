/** Where a text stops being JSON. */
export interface JsonFault {
  /** Characters (UTF-16 units) before it. */
  readonly at: number;
  readonly expected: string;
}

type Expecting = 'value' | 'item' | 'key' | 'first-key' | 'colon' | 'more';

/** What may stand in a string as it is: from the blank up, but no quote and no backslash. */
const PLAIN = /[ !#-[\]-\uffff]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const LITERAL = /true|false|null/y;
const BLANK = /[ \t\n\r]*/y;
/** More than the beginning of an escape: what follows can't mend it. */
const LONGEST_ESCAPE = '\\u0000'.length;

/**
 * Follows a text through JSON's grammar to its end or to its first fault, and knows what of it is complete.
 * Linear, and not recursive, since the text comes from outside.
 */
export class JsonScanner {
  readonly #text: string;
  readonly #open: ('{' | '[')[] = [];
  #at = 0;
  #expecting: Expecting = 'value';
  #complete = 0;
  /** Where a string value that the text ends inside of can be closed. */
  #partial: number | undefined;
  #depth = 0;
  readonly fault: JsonFault | undefined;

  constructor(text: string) {
    this.#text = text;
    this.fault = this.#scan();
  }

  /** The deepest nesting seen. */
  get depth(): number {
    return this.#depth;
  }

  /** The text up to its last complete value, its open brackets closed. Nothing within it is mended. */
  get complete(): string {
    return this.#text.slice(0, this.#complete) + this.#closing();
  }

  /** The same, with the part of a string value that has come, if the text ends inside one. */
  get shown(): string {
    if (this.#partial === undefined) return this.complete;
    return `${this.#text.slice(0, this.#partial)}"${this.#closing()}`;
  }

  #closing(): string {
    return this.#open
      .map((bracket) => (bracket === '{' ? '}' : ']'))
      .reverse()
      .join('');
  }

  #scan(): JsonFault | undefined {
    for (;;) {
      this.#take(BLANK);
      const char = this.#text[this.#at];
      if (char === undefined) return this.#isWhole() ? undefined : this.#fault();
      const fault = this.#step(char);
      if (fault !== undefined) return fault;
    }
  }

  #step(char: string): JsonFault | undefined {
    switch (this.#expecting) {
      case 'value':
        return this.#value(char);
      case 'item':
        return char === ']' ? this.#close() : this.#value(char);
      case 'first-key':
        return char === '}' ? this.#close() : this.#key(char);
      case 'key':
        return this.#key(char);
      case 'colon':
        return char === ':' ? this.#accept('value') : this.#fault();
      case 'more':
        return this.#more(char);
    }
  }

  #value(char: string): JsonFault | undefined {
    if (char === '{' || char === '[') {
      this.#depth = Math.max(this.#depth, this.#open.push(char));
      return this.#end(char === '{' ? 'first-key' : 'item');
    }
    if (char === '"') return this.#string('more');
    if (!this.#take(NUMBER) && !this.#take(LITERAL)) return this.#fault();
    this.#expecting = 'more';
    // A number at the very end may go on.
    if (this.#at < this.#text.length || /[a-z]/.test(char)) this.#complete = this.#at;
    return undefined;
  }

  #key(char: string): JsonFault | undefined {
    return char === '"' ? this.#string('colon') : this.#fault();
  }

  #more(char: string): JsonFault | undefined {
    const inside = this.#open.at(-1);
    if (inside === undefined) return this.#fault();
    if (char === (inside === '{' ? '}' : ']')) return this.#close();
    return char === ',' ? this.#accept(inside === '{' ? 'key' : 'value') : this.#fault();
  }

  #string(next: 'colon' | 'more'): JsonFault | undefined {
    this.#at += 1;
    do this.#take(PLAIN);
    while (this.#take(ESCAPE));
    const char = this.#text[this.#at];
    if (char === '"') return next === 'more' ? this.#end(next) : this.#accept(next);
    const cut = char === undefined || (char === '\\' && this.#text.length - this.#at < LONGEST_ESCAPE);
    if (cut && next === 'more') this.#partial = this.#at;
    if (char === undefined) return this.#fault('the closing double quote of a string');
    return this.#fault(
      char === '\\' ? 'a valid escape' : 'an escape such as \\n, not a bare control character',
    );
  }

  #close(): undefined {
    this.#open.pop();
    return this.#end('more');
  }

  /** With this character a value is complete, or a bracket open: closing all brackets here makes JSON. */
  #end(next: Expecting): undefined {
    this.#complete = this.#at + 1;
    return this.#accept(next);
  }

  #accept(next: Expecting): undefined {
    this.#at += 1;
    this.#expecting = next;
    return undefined;
  }

  #take(token: RegExp): boolean {
    token.lastIndex = this.#at;
    if (!token.test(this.#text)) return false;
    this.#at = token.lastIndex;
    return true;
  }

  #isWhole(): boolean {
    return this.#open.length === 0 && this.#expecting === 'more';
  }

  #fault(expected = this.#expected()): JsonFault {
    return { at: this.#at, expected };
  }

  #expected(): string {
    if (this.#expecting !== 'more') return names[this.#expecting];
    const inside = this.#open.at(-1);
    return inside === undefined ? 'the end of the text' : inside === '{' ? '"," or "}"' : '"," or "]"';
  }
}

const names: Readonly<Record<Exclude<Expecting, 'more'>, string>> = {
  value: 'a value',
  item: 'a value or "]"',
  key: 'a key in double quotes',
  'first-key': 'a key in double quotes or "}"',
  colon: '":" after a key',
};
