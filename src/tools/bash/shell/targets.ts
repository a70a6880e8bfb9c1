import type { CommandTarget, RuleTarget } from '../../../contract/permissions.js';
import { CommandReader, movesUnseen } from './commandTargets.js';
import { either, type Folders, hasMoves, PathResolver, type ShellPlace } from './directories.js';
import { FileReader } from './fileTargets.js';
import { parseShell } from './parse.js';
import {
  allNodes,
  type ParsedShell,
  type ShellAndOr,
  type ShellCompound,
  type ShellNode,
  type SimpleCommand,
} from './syntax.js';
import { factsOf, type TextFacts } from './variables.js';

/** Texts within texts (`sh -c "sh -c …"`): more is nothing that a person would write. */
const MAX_TEXT_DEPTH = 4;

/**
 * What permission rules compare of a Bash text: its simple commands, however they are nested, the files that
 * redirections and well-known commands read and change, and an `unparsed` target for what is not certain.
 *
 * `realPath` and `expand` are asked at once, while the text is walked; both may be left out. Never throws. The text is
 * taken for Bash without options: in another shell some of it (`&>`, `$'…'`, `[[ a > b ]]`) means something else.
 */
export const shellTargets = (text: string, place: ShellPlace): readonly RuleTarget[] =>
  targetsWithin(text, place, [place.cwd], 0);

const targetsWithin = (
  text: string,
  place: ShellPlace,
  folders: Folders,
  depth: number,
): readonly RuleTarget[] => {
  if (depth > MAX_TEXT_DEPTH)
    return [{ type: 'unparsed', reason: 'texts within texts, too many levels of them' }];
  const shell = parseShell(text);
  if (shell.type === 'unparsed') return [shell];
  const walk = new TargetWalk(shell, place, folders, depth);
  walk.node(shell.root);
  return unique([...walk.targets, ...assignmentsAlone(text, shell, walk)]);
};

/** Assignments that nothing obeys need no leave, but a text of nothing else must have something to compare. */
const assignmentsAlone = (
  text: string,
  { root }: ParsedShell,
  { targets }: TargetWalk,
): readonly CommandTarget[] => {
  const isAssigning = [...allNodes(root)].some(
    (node) => node.type === 'simple' && node.assignments.length > 0,
  );
  const form = text.trim();
  return targets.length === 0 && isAssigning ? [{ type: 'command', forms: [form], isReadOnly: true }] : [];
};

const unique = (targets: readonly RuleTarget[]): readonly RuleTarget[] => [
  ...new Map(targets.map((target) => [JSON.stringify(target), target])).values(),
];

/** Goes through a text as it would run, keeping in mind where each command may run. */
class TargetWalk {
  readonly targets: RuleTarget[] = [];
  #folders: Folders;
  readonly #facts: TextFacts;
  readonly #paths: PathResolver;
  readonly #commands: CommandReader;

  constructor(shell: ParsedShell, place: ShellPlace, folders: Folders, depth: number) {
    this.#facts = factsOf(shell);
    this.#paths = new PathResolver(place, this.#facts.variables);
    this.#folders = functionsMove(shell.root) ? undefined : folders;
    const inner = (text: string): readonly RuleTarget[] =>
      targetsWithin(text, place, this.#folders, depth + 1);
    this.#commands = new CommandReader(this.#facts, new FileReader(this.#facts, this.#paths, place), inner);
    for (const reason of this.#facts.hazards) this.targets.push({ type: 'unparsed', reason });
    for (const text of this.#facts.texts) this.#add(this.#commands.textTargets(text));
  }

  node(node: ShellNode): void {
    switch (node.type) {
      case 'simple':
        this.#simple(node);
        return;
      case 'sequence':
        for (const item of node.items) {
          if (item.background) this.#apart(item.node);
          else this.#orNot(item.node);
        }
        return;
      case 'andOr':
        this.#chain(node);
        return;
      case 'pipeline':
        for (const each of node.nodes) node.nodes.length > 1 ? this.#apart(each) : this.node(each);
        return;
      case 'compound':
        this.#compound(node);
    }
  }

  #chain({ nodes, operators }: ShellAndOr): void {
    let reached = this.#folders;
    for (const [index, each] of nodes.entries()) {
      if (operators[index - 1] === '||') this.#folders = reached;
      this.node(each);
      reached = either(reached, this.#folders);
    }
    this.#folders = reached;
  }

  #compound(node: ShellCompound): void {
    for (const each of node.nested) this.#apart(each);
    this.#add(this.#commands.redirects(node.redirects, this.#folders));
    // The next round starts where the last one ended.
    if (node.kind === 'loop' && hasMoves(node)) this.#folders = undefined;
    for (const body of node.bodies) {
      if (node.kind === 'subshell' || node.kind === 'coproc') this.#apart(body);
      else this.#orNot(body);
    }
  }

  #simple(command: SimpleCommand): void {
    for (const each of command.nested) this.#apart(each);
    this.#add(this.#commands.targets(command, this.#folders));
    this.#folders = movesUnseen(command) ? undefined : this.#paths.after(command, this.#folders);
  }

  // Too many for the arguments of one `push`.
  #add(targets: readonly RuleTarget[]): void {
    for (const target of targets) this.targets.push(target);
  }

  /** In a shell of its own. */
  #apart(node: ShellNode): void {
    const before = this.#folders;
    this.node(node);
    this.#folders = before;
  }

  /** It may fail, or not run at all. */
  #orNot(node: ShellNode): void {
    const before = this.#folders;
    this.node(node);
    this.#folders = either(before, this.#folders);
  }
}

const functionsMove = (root: ShellNode): boolean =>
  [...allNodes(root)].some((node) => node.type === 'compound' && node.kind === 'function' && hasMoves(node));
