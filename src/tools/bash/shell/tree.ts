import type {
  AndOr,
  ArithmeticCommand,
  ArithmeticFor,
  Case,
  CommandNode,
  CompoundList,
  Coproc,
  For,
  PipelineNode,
  Select,
  Statement,
  SyntaxNode,
  TestCommand,
} from 'unbash';
import { type Nest, readRedirects, readSimple, Unreadable } from './simple.js';
import type { ShellCompound, ShellNode } from './syntax.js';
import { type Findings, findScripts, readWord } from './words.js';

type Script = Extract<SyntaxNode, { readonly type: 'Script' }>;
/** Compounds that have words of their own, beside those of the commands in them. */
type Worded = For | Select | Case | TestCommand | ArithmeticFor | ArithmeticCommand;

/** Levels of groups and substitutions within each other: more is nothing that a person would write. */
const MAX_DEPTH = 50;

/** Turns the parser's tree into ours, and keeps what was odd about it. */
export class TreeReader {
  readonly hazards = new Set<string>();
  hasArithmetic = false;
  #depth = 0;

  script(script: Script | undefined): ShellNode {
    if (script === undefined) throw new Unreadable('a substitution that could not be read');
    const error = script.errors?.[0];
    if (error !== undefined) throw new Unreadable(`a syntax error: ${error.message}`);
    return this.#list(script.commands);
  }

  #list(statements: readonly Statement[]): ShellNode {
    if (this.#depth >= MAX_DEPTH) throw new Unreadable('it is nested too deeply');
    this.#depth += 1;
    const items = statements.map(({ command, background }) => ({
      node: this.#command(command),
      background: background === true,
    }));
    this.#depth -= 1;
    return { type: 'sequence', items };
  }

  #body = (list: CompoundList): ShellNode => this.#list(list.commands);
  #each = (nodes: readonly PipelineNode[]): readonly ShellNode[] => nodes.map((node) => this.#command(node));

  #command(node: PipelineNode | AndOr): ShellNode {
    switch (node.type) {
      case 'AndOr':
        return { type: 'andOr', nodes: this.#each(node.commands), operators: node.operators };
      case 'Pipeline': {
        const negated = node.prefixes.filter(({ type }) => type === 'Negation').length % 2 === 1;
        return { type: 'pipeline', nodes: this.#each(node.commands), negated };
      }
      case 'Command':
        return readSimple(node, this.#nest());
      case 'Redirected': {
        const inner = this.#command(node.command);
        const { nested, found } = this.#nest();
        const { redirects } = readRedirects(node.redirects, found);
        return compound('group', { bodies: [inner], redirects, nested });
      }
      default:
        return this.#compound(node);
    }
  }

  #compound(node: Exclude<CommandNode, { type: 'Command' | 'Redirected' }>): ShellNode {
    switch (node.type) {
      case 'BraceGroup':
        return compound('group', { bodies: [this.#body(node.body)] });
      case 'Subshell':
        return compound('subshell', { bodies: [this.#body(node.body)] });
      case 'If': {
        const others = node.elif.flatMap((each) => [each.clause, each.then]);
        const lists = [node.clause, node.then, ...others, ...(node.else ? [node.else] : [])];
        return compound('branch', { bodies: lists.map(this.#body) });
      }
      case 'While':
        return compound('loop', { bodies: [node.clause, node.body].map(this.#body) });
      case 'Function':
        return compound('function', { name: node.name.value, bodies: [this.#whole(node.body)] });
      case 'Coproc': {
        const name = node.name === undefined ? undefined : { name: node.name.value };
        return compound('coproc', { ...name, bodies: [this.#whole(node.body)] });
      }
      default:
        return this.#worded(node, this.#nest());
    }
  }

  #worded(node: Worded, { nested, found }: Nest): ShellNode {
    switch (node.type) {
      case 'For':
      case 'Select': {
        const words = (node.wordlist ?? []).flatMap((word) => readWord(word, found));
        return compound('loop', { name: node.name.value, words, bodies: [this.#body(node.body)], nested });
      }
      case 'Case': {
        const words = [node.word, ...node.items.flatMap(({ pattern }) => pattern)];
        for (const word of words) findScripts(word, found);
        return compound('branch', { bodies: node.items.map((item) => this.#body(item.body)), nested });
      }
      case 'ArithmeticFor': {
        const parts = [node.initialize, node.test, node.update];
        return compound('loop', {
          bodies: [this.#body(node.body)],
          nested: this.#computed(parts, nested, found),
        });
      }
      case 'TestCommand':
        // `-eq` and its like compute as well.
        return compound('test', { nested: this.#computed([node.expression], nested, found) });
      case 'ArithmeticCommand':
        return compound('arithmetic', { nested: this.#computed([node.expression], nested, found) });
    }
  }

  #computed(
    parts: readonly (SyntaxNode | undefined)[],
    nested: Nest['nested'],
    found: Findings,
  ): Nest['nested'] {
    found.arithmetic();
    for (const part of parts) if (part !== undefined) findScripts(part, found);
    return nested;
  }

  #whole(node: Coproc['body']): ShellNode {
    return node.type === 'CompoundList' ? this.#body(node) : this.#command(node);
  }

  #nest(): Nest {
    const nested: ShellNode[] = [];
    const found: Findings = {
      script: (script) => nested.push(this.script(script)),
      hazard: (reason) => this.hazards.add(reason),
      arithmetic: () => {
        this.hasArithmetic = true;
      },
    };
    return { nested, found };
  }
}

const compound = (kind: ShellCompound['kind'], rest: Partial<ShellCompound>): ShellCompound => ({
  type: 'compound',
  kind,
  words: [],
  bodies: [],
  redirects: [],
  nested: [],
  ...rest,
});
