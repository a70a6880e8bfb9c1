import { builtinEffects } from './builtins.js';
import { isObeyedName, runsThroughName } from './names.js';
import {
  type Assignment,
  allNodes,
  type ParsedShell,
  type ShellNode,
  type ShellWord,
  type SimpleCommand,
} from './syntax.js';
import { staticValue, type VariableValues } from './values.js';

/** What a text does to the names that its own commands use. */
export interface TextFacts {
  readonly variables: VariableValues;
  /** Functions it defines: a command of such a name is another one. */
  readonly functions: ReadonlySet<string>;
  /** It changes how names are understood (`PATH=`, `alias`, `shopt`, …): none of its commands is what it seems. */
  readonly changesNames: boolean;
  /** Commands that variables such as `PAGER` hold; `undefined` for one that is only known when it runs. */
  readonly texts: readonly (string | undefined)[];
  /** Variables that go through file names: their values are patterns. */
  readonly patterned: ReadonlySet<string>;
  readonly hazards: readonly string[];
}

class Collector {
  readonly values = new Map<string, readonly string[] | undefined>();
  readonly functions = new Set<string>();
  readonly hazards = new Set<string>();
  changesNames = false;
  readonly patterned = new Set<string>();
  readonly texts = new Set<string | undefined>();

  /** One more value a variable may have; none is an unknown one. */
  set(name: string, value: string | undefined): void {
    const known = this.values.has(name) ? this.values.get(name) : [];
    this.values.set(name, value === undefined || known === undefined ? undefined : [...known, value]);
    if (isObeyedName(name)) this.changesNames = true;
    this.#runs(name, value);
  }

  #runs(name: string, value: string | undefined): void {
    const through = runsThroughName(name);
    if (through === 'text' && value !== '') this.texts.add(value);
    if (through === 'unknown') this.hazards.add('a variable that says what else is run');
  }

  assign({ name, value, text }: Assignment): void {
    this.set(name, value === undefined || /^\w+\+=/.test(text) ? undefined : staticValue(value));
  }

  node(node: ShellNode): void {
    if (node.type === 'simple') this.#simple(node);
    if (node.type !== 'compound') return;
    this.#literals(node.words);
    if (node.kind === 'function') {
      this.functions.add(node.name ?? '');
    } else if (node.name !== undefined) {
      if (node.words.length === 0) this.set(node.name, undefined);
      for (const word of node.words) this.#goThrough(node.name, word);
    }
  }

  #goThrough(name: string, word: ShellWord): void {
    const pattern = word.pieces.map((piece) =>
      piece.type === 'pattern' ? piece.text : piece.type === 'literal' ? piece.value : undefined,
    );
    if (word.pieces.some(({ type }) => type === 'pattern')) this.patterned.add(name);
    this.set(name, pattern.includes(undefined) ? undefined : pattern.join(''));
  }

  #simple(command: SimpleCommand): void {
    this.#literals([...command.words, ...command.assignments.flatMap(({ value }) => value ?? [])]);
    for (const each of command.assignments) {
      // Before a command it holds for that command alone, whose targets look at it themselves.
      if (command.words.length === 0) this.assign(each);
      else {
        this.values.set(each.name, undefined);
        this.#runs(each.name, each.value === undefined ? undefined : staticValue(each.value));
      }
    }
    const args = command.words.slice(
      command.words.findIndex((word) => !/^(builtin|command|exec|-.*)$/.test(staticValue(word) ?? '')),
    );
    const name = args[0] === undefined ? undefined : staticValue(args[0]);
    const effects = builtinEffects(name ?? '', args.slice(1));
    if (effects.changesNames) this.changesNames = true;
    for (const each of effects.sets) this.set(each.name, each.value);
  }

  // An index is computed, and computing runs the substitutions in it, also where quotes had made them plain text.
  #literals(words: readonly ShellWord[]): void {
    for (const { pieces, text } of words) {
      const [, name, value] = /^([A-Z]\w*)=([\s\S]*)$/.exec(staticValue({ pieces, text }) ?? '') ?? [];
      if (name !== undefined) this.#runs(name, value);
      if (pieces.some((piece) => piece.type === 'literal' && /\[[^\]]*(\$\(|`)/.test(piece.value))) {
        this.hazards.add('an index that may run what is in it');
      }
    }
  }
}

/** Goes once through a text and says what its commands can rely on. */
export const factsOf = (shell: ParsedShell): TextFacts => {
  const collector = new Collector();
  for (const node of allNodes(shell.root)) collector.node(node);
  const computed = [...collector.values.values()].some((values) =>
    values?.some((value) => /[$`]/.test(value)),
  );
  if (shell.hasArithmetic && computed)
    collector.hazards.add('arithmetic over a value with a substitution in it');
  const { values, functions, changesNames, patterned, texts, hazards } = collector;
  return {
    variables: values,
    functions,
    changesNames,
    patterned,
    texts: [...texts],
    hazards: [...shell.hazards, ...hazards],
  };
};
