import type { Assignment as AssignmentSyntax, HereDoc, RedirectOperator } from 'unbash';
import type { Assignment, FileRedirect, GivenInput, ShellWord } from './syntax.js';
import { type Findings, findScripts, readPlainWord } from './words.js';

/** Files that are no files: what is written there is gone, or goes where the command's output goes anyway. */
const nowhere = /^\/dev\/(null|stdin|stdout|stderr|tty|fd\/\d+)$/;

/** Whether a literal path names a device that keeps nothing. */
export const isNowhere = (path: string): boolean => nowhere.test(path);

/** The files one redirection opens: none for descriptors that are copied or closed, and for process substitutions. */
export const fileRedirects = (operator: RedirectOperator, target: ShellWord): readonly FileRedirect[] => {
  if (operator === '<&' || /^[<>]\(/.test(target.text) || isNowhere(target.text)) return [];
  if (operator === '>&' && /^(\d+-?|-)$/.test(target.text)) return [];
  if (operator === '<') return [{ access: 'read', target }];
  const edit: FileRedirect = { access: 'edit', target };
  return operator === '<>' ? [{ access: 'read', target }, edit] : [edit];
};

/** What a here-document gives its command to read. */
export const readHereDoc = ({ operator, delimiter, body, closing }: HereDoc, found: Findings): GivenInput => {
  if (closing === undefined) found.hazard('a here-document without an end');
  if (delimiter?.quoted !== true) {
    findScripts(body, found);
    const isLiteral = body.parts?.every(({ type }) => type === 'Literal') ?? true;
    if (!isLiteral || body.text.includes('\\')) return {};
  }
  return { text: operator === '<<-' ? body.text.replace(/^\t+/gm, '') : body.text };
};

/** What `<<<` gives its command to read. */
export const hereString = ({ pieces }: ShellWord): GivenInput => {
  const values = pieces.map((piece) => (piece.type === 'literal' ? piece.value : undefined));
  return values.includes(undefined) ? {} : { text: values.join('') };
};

/** `name=value` before a command, or alone. */
export const readAssignment = (node: AssignmentSyntax, found: Findings): Assignment => {
  if (node.index !== undefined) {
    found.arithmetic();
    findScripts(node.index, found);
  }
  const { name, text } = node;
  if (node.value.type === 'Word') return { name, text, value: readPlainWord(node.value, found) };
  for (const element of node.value.elements) findScripts(element, found);
  return { name, text };
};

/** `name=value` as an argument of `declare`, `export` and their like. */
export const assignmentWord = (node: AssignmentSyntax, found: Findings): ShellWord => {
  const { name, text, value } = readAssignment(node, found);
  const start = { type: 'literal', value: `${name}=`, quoted: false } as const;
  return { text, pieces: [start, ...(value?.pieces ?? [{ type: 'computed', quoted: true }])] };
};
