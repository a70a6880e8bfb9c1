import { isObeyedName, isSafeName } from './names.js';
import { parseShell } from './parse.js';
import { readsOnly } from './readers.js';
import { allNodes, type ShellNode } from './syntax.js';
import { staticValue } from './values.js';
import { factsOf, type TextFacts } from './variables.js';
import { peelAll } from './wrappers.js';

/**
 * Whether a Bash text is certain to read only: every simple command in it is on a closed list with words that are
 * known to read, and nothing else happens: no file is opened for writing, no name is redefined, nothing goes on in the
 * background.
 *
 * In doubt `false`: two commands that overlap, or one that nobody was asked about, are worse than one that waits.
 */
export const isReadOnlyCommand = (text: string): boolean => {
  const shell = parseShell(text);
  if (shell.type === 'unparsed') return false;
  const facts = factsOf(shell);
  if (facts.hazards.length > 0 || facts.texts.length > 0 || facts.changesNames || facts.functions.size > 0)
    return false;
  const nodes = [...allNodes(shell.root)];
  return nodes.some(({ type }) => type === 'simple') && nodes.every((node) => isHarmless(node, facts));
};

const isHarmless = (node: ShellNode, facts: TextFacts): boolean => {
  if (node.type === 'sequence') return node.items.every(({ background }) => !background);
  if (node.type === 'andOr' || node.type === 'pipeline') return true;
  if (node.redirects.some(({ access }) => access === 'edit')) return false;
  if (node.type === 'compound') return node.kind !== 'coproc' && node.kind !== 'function';
  if (node.words.length === 0) return node.assignments.every(({ name }) => !isObeyedName(name));
  const { peeled, layers } = peelAll(node.words);
  // Left alone it would go on after the call.
  if (layers.some(([word]) => word !== undefined && staticValue(word) === 'nohup')) return false;
  return node.assignments.every(({ name }) => isSafeName(name)) && readsOnly(peeled) && !facts.changesNames;
};
