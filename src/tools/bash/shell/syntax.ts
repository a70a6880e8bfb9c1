/** A stretch of one word; what the shell makes of it differs by type. */
export type WordPiece =
  | { readonly type: 'literal'; readonly value: string; readonly quoted: boolean }
  /** A leading `~`. */
  | { readonly type: 'home' }
  /** `$name` or `${name}` and nothing more. */
  | { readonly type: 'variable'; readonly name: string; readonly quoted: boolean }
  /** `*`, `?`, `[…]`: file names take its place. */
  | { readonly type: 'pattern'; readonly text: string }
  /** Only known when it runs: substitutions, arithmetic, transformed variables. */
  | { readonly type: 'computed'; readonly quoted: boolean };

export interface ShellWord {
  /** As written, quotes included. */
  readonly text: string;
  readonly pieces: readonly WordPiece[];
}

export interface Assignment {
  readonly name: string;
  readonly text: string;
  /** Left out for arrays. */
  readonly value?: ShellWord;
}

/** A redirection that opens a file; those that copy or close a descriptor are not listed. */
export interface FileRedirect {
  readonly access: 'read' | 'edit';
  readonly target: ShellWord;
}

/** Text that a command reads from its standard input, where the shell text holds it. */
export interface GivenInput {
  /** Left out where it is only known when the command runs. */
  readonly text?: string;
}

interface Surroundings {
  readonly redirects: readonly FileRedirect[];
  /** What substitutions in its words and here-documents run, before it starts. */
  readonly nested: readonly ShellNode[];
}

/** A program or builtin with its words, or assignments alone. */
export interface SimpleCommand extends Surroundings {
  readonly type: 'simple';
  readonly words: readonly ShellWord[];
  readonly assignments: readonly Assignment[];
  readonly input?: GivenInput;
}

export interface ShellSequence {
  readonly type: 'sequence';
  readonly items: readonly { readonly node: ShellNode; readonly background: boolean }[];
}

/** Nodes with `&&` or `||` between them: one operator fewer than nodes. */
export interface ShellAndOr {
  readonly type: 'andOr';
  readonly nodes: readonly ShellNode[];
  readonly operators: readonly ('&&' | '||')[];
}

export interface ShellPipeline {
  readonly type: 'pipeline';
  readonly nodes: readonly ShellNode[];
  readonly negated: boolean;
}

export interface ShellCompound extends Surroundings {
  readonly type: 'compound';
  /** `test` is `[[ ]]`, `arithmetic` is `(( ))`. */
  readonly kind: 'group' | 'subshell' | 'coproc' | 'function' | 'branch' | 'loop' | 'test' | 'arithmetic';
  /** Of a function, a loop's variable, a coprocess. */
  readonly name?: string;
  /** What a loop's variable goes through. */
  readonly words: readonly ShellWord[];
  readonly bodies: readonly ShellNode[];
}

export type ShellNode = SimpleCommand | ShellSequence | ShellAndOr | ShellPipeline | ShellCompound;

/** A shell text that was understood. */
export interface ParsedShell {
  readonly type: 'parsed';
  readonly root: ShellNode;
  /** Why parts of it may do other than they seem to, in a few words each. */
  readonly hazards: readonly string[];
  /** It computes with variables, which runs what their values say. */
  readonly hasArithmetic: boolean;
}

export interface UnparsedShell {
  readonly type: 'unparsed';
  readonly reason: string;
}

/** Every simple command below a node, nested ones first, as they would start. */
export function* simpleCommands(node: ShellNode): Generator<SimpleCommand> {
  for (const each of allNodes(node)) if (each.type === 'simple') yield each;
}

/** A node's own children, in the order they would run. */
export const childrenOf = (node: ShellNode): readonly ShellNode[] => {
  if (node.type === 'sequence') return node.items.map((item) => item.node);
  if (node.type === 'andOr' || node.type === 'pipeline') return node.nodes;
  return node.type === 'compound' ? [...node.nested, ...node.bodies] : node.nested;
};

export function* allNodes(node: ShellNode): Generator<ShellNode> {
  for (const child of childrenOf(node)) yield* allNodes(child);
  yield node;
}
