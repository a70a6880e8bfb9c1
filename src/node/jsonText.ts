/** Where and why a text is no JSON. Lines and columns count from 1. */
export interface JsonFault {
  readonly line: number;
  readonly column: number;
  readonly reason: string;
}

/** What is known of a JSON text beside its value: the line of each member, by path, and names that occur twice. */
export interface JsonPlaces {
  /** The line of `hooks.PreToolUse[0].matcher`, say. */
  lineOf(path: string): number | undefined;
  readonly twice: readonly string[];
  readonly fault?: JsonFault;
}

const token =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON allows none of them in a text.
  /[ \t\n\r]*(?:([{}[\],:])|("(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|true\b|false\b|null\b))/y;

interface Level {
  readonly path: string;
  readonly isList: boolean;
  readonly names: Set<string>;
  index: number;
}
type Expected = 'value' | 'value or ]' | 'name' | 'name or }' | ':' | ', or the end';

/**
 * Walks through a JSON text for what `JSON.parse` does not tell: where its faults are, and where its members stand. A
 * settings file is mended by hand, and its reader needs the line.
 */
export const placesIn = (text: string): JsonPlaces => {
  const walk = new Walk(text);
  const fault = walk.run();
  return {
    lineOf: (path) => walk.lines.get(path),
    twice: walk.twice,
    ...(fault === undefined ? undefined : { fault }),
  };
};

class Walk {
  readonly lines = new Map<string, number>();
  readonly twice: string[] = [];
  readonly #levels: Level[] = [];
  #expected: Expected = 'value';
  #path = '';
  #at = 0;
  #line = 1;
  #lineStart = 0;

  constructor(private readonly text: string) {}

  run(): JsonFault | undefined {
    for (;;) {
      token.lastIndex = this.#at;
      const match = token.exec(this.text);
      this.#skipTo(
        match === null ? this.#at + this.#blanks() : token.lastIndex - match[0].trimStart().length,
      );
      if (match === null) return this.#end();
      const [, mark, name, word] = match;
      if (!this.#take(mark, name ?? word, name !== undefined)) return this.#fault();
      this.#at = token.lastIndex;
    }
  }

  #end(): JsonFault | undefined {
    const isComplete = this.#at === this.text.length && this.#levels.length === 0;
    return isComplete && this.#expected === ', or the end' ? undefined : this.#fault();
  }

  /** Takes one token; false where it may not stand here. */
  #take(mark: string | undefined, scalar: string | undefined, isText: boolean): boolean {
    const { isValue, isName } = {
      isValue: this.#expected.startsWith('value'),
      isName: this.#expected.startsWith('name'),
    };
    if (isValue && (scalar !== undefined || mark === '{' || mark === '[')) return this.#value(mark);
    if (isName && isText) return this.#name(JSON.parse(scalar as string) as string);
    if (this.#expected === ':' && mark === ':') return this.#expect('value');
    const level = this.#levels.at(-1);
    if (level === undefined) return false;
    if (this.#expected === ', or the end' && mark === ',') return this.#next(level);
    const isEmpty = this.#expected === 'value or ]' || this.#expected === 'name or }';
    if (mark !== (level.isList ? ']' : '}') || !(isEmpty || this.#expected === ', or the end')) return false;
    this.#levels.pop();
    return this.#expect(', or the end');
  }

  #value(mark: string | undefined): true {
    if (!this.lines.has(this.#path)) this.lines.set(this.#path, this.#line);
    if (mark === undefined) return this.#expect(', or the end');
    const level = { path: this.#path, isList: mark === '[', names: new Set<string>(), index: 0 };
    this.#levels.push(level);
    if (level.isList) this.#path = `${level.path}[0]`;
    return this.#expect(level.isList ? 'value or ]' : 'name or }');
  }

  #name(name: string): true {
    const level = this.#levels.at(-1) as Level;
    this.#path = level.path === '' ? name : `${level.path}.${name}`;
    if (level.names.has(name)) this.twice.push(this.#path);
    level.names.add(name);
    return this.#expect(':');
  }

  #next(level: Level): true {
    if (level.isList) this.#path = `${level.path}[${++level.index}]`;
    return this.#expect(level.isList ? 'value' : 'name');
  }

  #expect(expected: Expected): true {
    this.#expected = expected;
    return true;
  }

  #blanks(): number {
    return /^[ \t\n\r]*/.exec(this.text.slice(this.#at))?.[0].length ?? 0;
  }

  #skipTo(index: number): void {
    for (
      let at = this.text.indexOf('\n', this.#lineStart);
      at >= 0 && at < index;
      at = this.text.indexOf('\n', at + 1)
    ) {
      this.#line++;
      this.#lineStart = at + 1;
    }
    this.#at = index;
  }

  #fault(): JsonFault {
    const rest = this.text.slice(this.#at);
    const got =
      rest === ''
        ? 'the end of the file'
        : `\`${/^(?:"[^"\n]*"?|[\w.+-]+|[\s\S])/u.exec(rest)?.[0].slice(0, 30)}\``;
    const expected = wordsFor(this.#expected, this.#levels.at(-1));
    return {
      line: this.#line,
      column: this.#at - this.#lineStart + 1,
      reason: `expected ${expected}, got ${got}`,
    };
  }
}

const wordsFor = (expected: Expected, level: Level | undefined): string => {
  switch (expected) {
    case 'value':
      return 'a value';
    case 'value or ]':
      return 'a value or `]`';
    case 'name':
      return 'a name in double quotes';
    case 'name or }':
      return 'a name in double quotes or `}`';
    case ':':
      return '`:`';
    default:
      return level === undefined ? 'the end of the file' : `\`,\` or \`${level.isList ? ']' : '}'}\``;
  }
};
