import { InvalidOptionError } from '../contract/errors.js';
import type { PathTarget } from '../contract/permissions.js';
import { segmentsOf } from './folders.js';
import type { RuleKind, RulePlace } from './rule.js';
import { type SegmentPattern, segmentPattern } from './segmentPattern.js';
import { type Element, matchesSequence, mayMatchBelow } from './sequence.js';

/** Which paths a rule speaks of, as whole absolute paths by segment. */
export interface PathPattern {
  /** One for each folder the pattern starts from. */
  readonly whole: readonly (readonly Element<string>[])[];
  /** A match of a folder is a match of what lies below it. */
  readonly coversBelow: boolean;
  /** It holds at any depth: a name that may stand anywhere. */
  readonly isFloating: boolean;
}

/**
 * Reads a path pattern, which is written as in gitignore: `//` starts at the root, `~/` at home, `/` at the rules'
 * base, `./` and a bare one at `cwd`.
 *
 * A bare pattern of a deny or ask rule holds at any depth of the working directories. One of an allow rule does so
 * only where it is a single name; and it covers what lies below a match only where its last segment is literal:
 * `./*` allows no more than it says.
 *
 * @throws InvalidOptionError for a pattern that is empty, negated, malformed, or whose folder is not known
 */
export const pathPattern = (text: string, kind: RuleKind, place: RulePlace, rule: string): PathPattern => {
  const reader = new PatternReader(kind, place, rule);
  return reader.read(text);
};

/** Whether a target is reached by a deny or ask rule: by any of its paths. */
export const reachesPath = (pattern: PathPattern, { paths }: PathTarget): boolean =>
  paths.some((path) => matchesPath(pattern, path));

/**
 * Whether a target with all that lies below it may hold what the rule speaks of. A name that is a pattern may be any.
 *
 * Not where the rule's own name may stand anywhere (`Read(.env)`): then every search would be asked about.
 */
export const mayHold = ({ whole, isFloating }: PathPattern, { below, paths }: PathTarget): boolean =>
  below === true &&
  !isFloating &&
  paths.some((path) => {
    const segments = segmentsOf(path);
    const open = segments.findIndex((segment) => /[*?[]/.test(segment));
    const folder = open === -1 ? segments : segments.slice(0, open);
    return whole.some((pattern) => mayMatchBelow(pattern, folder));
  });

/** Whether a target is covered by an allow rule: a link only together with what it leads to. */
export const coversPath = (pattern: PathPattern, { paths }: PathTarget): boolean =>
  paths.length > 0 && paths.every((path) => matchesPath(pattern, path));

const matchesPath = ({ whole, coversBelow }: PathPattern, path: string): boolean => {
  const segments = segmentsOf(path);
  return whole.some((pattern) => matchesSequence(pattern, segments, coversBelow));
};

type Segment = SegmentPattern | typeof many;
const many = { isMany: true } as const;

class PatternReader {
  constructor(
    readonly kind: RuleKind,
    readonly place: RulePlace,
    readonly rule: string,
  ) {}

  read(text: string): PathPattern {
    if (text === '' || text.startsWith('!')) throw this.#fault('a path pattern that is not empty or negated');
    const { starts, rest, isBare } = this.#anchor(text);
    const names = rest.split('/').filter((name) => name !== '');
    const isFloating = isBare && (this.kind !== 'allow' || names.length === 1);
    const own = names.map((name) => this.#segment(name));
    const whole = starts.map((start) => {
      const before: Segment[] = [...segmentsOf(start)];
      if (isFloating) before.push(many);
      return this.#resolved(before, own).map(elementOf);
    });
    const last = own[own.length - 1];
    return { whole, coversBelow: this.kind !== 'allow' || typeof last === 'string', isFloating };
  }

  #anchor(text: string): { starts: readonly string[]; rest: string; isBare: boolean } {
    const from = (start: string, length: number) => ({
      starts: [start],
      rest: text.slice(length),
      isBare: false,
    });
    if (text.startsWith('//')) return from('', 2);
    if (/^[A-Za-z]:\//.test(text)) return from('', 0);
    if (text === '~' || text.startsWith('~/')) return from(this.#folder('home'), 1);
    if (text.startsWith('/')) return from(this.place.base ?? this.#folder('cwd'), 1);
    if (/^\.{1,2}(\/|$)/.test(text)) return from(this.#folder('cwd'), 0);
    const beside = this.kind === 'allow' ? [] : (this.place.additionalDirectories ?? []);
    return { starts: [this.#folder('cwd'), ...beside], rest: text, isBare: true };
  }

  #folder(name: 'cwd' | 'home'): string {
    const folder = this.place[name];
    if (folder !== undefined) return folder;
    throw this.#fault(`a rule that can be placed: its pattern starts from \`${name}\`, which is not given`);
  }

  #segment(name: string): Segment {
    if (name === '**') return many;
    const segment = segmentPattern(name);
    if (segment === undefined) throw this.#fault('a path pattern whose `[` and `\\` are complete');
    return segment;
  }

  /** Takes out `.` and `..`: the paths that are compared have none. */
  #resolved(before: readonly Segment[], own: readonly Segment[]): readonly Segment[] {
    const segments = [...before];
    for (const segment of own) {
      if (segment === '..') {
        if (typeof segments.pop() !== 'string')
          throw this.#fault('a path pattern without `..` behind a wildcard');
      } else if (segment !== '.') segments.push(segment);
    }
    return segments;
  }

  #fault(expected: string): InvalidOptionError {
    return new InvalidOptionError(this.place.option, expected, this.rule);
  }
}

const elementOf = (segment: Segment): Element<string> => {
  if (typeof segment === 'function') return segment;
  if (typeof segment === 'object') return 'many';
  return (name) => name === segment;
};
