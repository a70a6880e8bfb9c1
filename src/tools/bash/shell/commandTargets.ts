import type { CommandTarget, RuleTarget, UnparsedTarget } from '../../../contract/permissions.js';
import type { Folders } from './directories.js';
import { fileArguments } from './fileArguments.js';
import type { FileReader } from './fileTargets.js';
import type { FileArgument } from './fileWords.js';
import { baseName, formsOf, tailForms } from './forms.js';
import { type Look, lookAt } from './look.js';
import { isObeyedName, isSafeName } from './names.js';
import { readsOnly, takesAnyWords } from './readers.js';
import type { FileRedirect, ShellWord, SimpleCommand } from './syntax.js';
import { ruleText, staticValue } from './values.js';
import type { TextFacts } from './variables.js';

const ofCommand = (target: RuleTarget): RuleTarget =>
  target.type === 'path' ? { ...target, ofCommand: true } : target;

const unparsed = (reason: string): UnparsedTarget => ({ type: 'unparsed', reason });

/** Makes the targets of single commands. */
export class CommandReader {
  readonly #facts: TextFacts;
  readonly #files: FileReader;
  readonly #inner: (text: string) => readonly RuleTarget[];

  constructor(facts: TextFacts, files: FileReader, inner: (text: string) => readonly RuleTarget[]) {
    this.#facts = facts;
    this.#files = files;
    this.#inner = inner;
  }

  targets(command: SimpleCommand, folders: Folders): readonly RuleTarget[] {
    const redirects = this.redirects(command.redirects, folders);
    if (command.words.length === 0) return [...redirects, ...assigning(command)];
    const look = lookAt(command);
    // A folder among the words of a program is hardly ever the builtin `.` of one that it runs.
    const tails = look.tails.filter(([word]) => word?.text !== '.');
    const files = [look.peeled, ...tails]
      .flatMap(filesOf)
      .flatMap((each) => this.#files.targets(each, folders))
      .map(ofCommand);
    return [this.#command(look), ...look.unknown.map(unparsed), ...redirects, ...files, ...this.#given(look)];
  }

  redirects(list: readonly FileRedirect[], folders: Folders): readonly RuleTarget[] {
    return list.flatMap(({ access, target }) => this.#files.targets({ access, word: target }, folders));
  }

  /** The targets of a text that something runs; `undefined` is one that is only known then. */
  textTargets(text: string | undefined): readonly RuleTarget[] {
    return text === undefined
      ? [unparsed('a shell text that is only known when it runs')]
      : this.#inner(text);
  }

  #command(look: Look): CommandTarget {
    const { command, peeled, layers, tails } = look;
    const written = [...command.assignments, ...command.words].map(({ text }) => text).join(' ');
    const forms = layers.flatMap((words) => formsOf(words, this.#facts.variables));
    const isEditing = command.redirects.some(({ access }) => access === 'edit');
    return {
      type: 'command',
      ...(this.#isAllowable(look) ? { allowText: peeled.map(ruleText).join(' ') } : undefined),
      forms: [...new Set([written, ...forms, ...tails.flatMap(tailForms)])],
      isReadOnly: this.#isAsItSeems(look) && !isEditing && readsOnly(peeled),
    };
  }

  /** Nothing in the text makes another command of its name. */
  #isAsItSeems({ layers, command, name }: Look): boolean {
    const { changesNames, functions } = this.#facts;
    const names = layers.map(([word]) => (word === undefined ? '' : (staticValue(word) ?? '')));
    const isSafe = command.assignments.every((each) => isSafeName(each.name));
    return name !== undefined && isSafe && !changesNames && !names.some((each) => functions.has(each));
  }

  #isAllowable(look: Look): boolean {
    const name = look.name ?? '';
    if (!this.#isAsItSeems(look) || look.runs[0]?.blocksAllow !== false || !/^[!-~]+$/.test(name))
      return false;
    return look.open === 'none' || (look.open === 'arguments' && takesAnyWords(name));
  }

  #given({ runs }: Look): readonly RuleTarget[] {
    return runs.flatMap(({ texts, guesses, opaque }) => {
      const guessed = (guesses ?? []).flatMap((text) => this.#inner(text));
      return [
        ...(opaque === undefined ? [] : [unparsed(opaque)]),
        ...texts.flatMap((text) => this.textTargets(text)),
        // What is no shell text after all need not be understood.
        ...guessed.filter(({ type }) => type !== 'unparsed'),
      ];
    });
  }
}

/** Whether a command may change the folder in a way that can't be followed. */
export const movesUnseen = ({ words }: SimpleCommand): boolean => {
  const texts = words.map((word) => staticValue(word) ?? '$');
  return texts.includes('eval') && /\b(cd|pushd|popd)\b|\$/.test(texts.join(' '));
};

const assigning = ({ assignments }: SimpleCommand): readonly RuleTarget[] =>
  assignments.some(({ name }) => isObeyedName(name))
    ? [{ type: 'command', forms: [assignments.map(({ text }) => text).join(' ')], isReadOnly: false }]
    : [];

const filesOf = (words: readonly ShellWord[]): readonly FileArgument[] => {
  const name = words[0] === undefined ? undefined : staticValue(words[0]);
  return name === undefined ? [] : fileArguments(baseName(name), words);
};
