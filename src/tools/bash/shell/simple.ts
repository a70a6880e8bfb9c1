import type { Command, Redirection } from 'unbash';
import { assignmentWord, fileRedirects, hereString, readAssignment, readHereDoc } from './redirects.js';
import type { FileRedirect, GivenInput, ShellNode, SimpleCommand } from './syntax.js';
import { type Findings, readPlainWord, readWord } from './words.js';

/** Somewhere to leave what one command comes by. */
export interface Nest {
  readonly nested: readonly ShellNode[];
  readonly found: Findings;
}

/** Why a text could not be read; caught where parsing began. */
export class Unreadable extends Error {}

export const readSimple = (node: Command, { nested, found }: Nest): SimpleCommand => {
  const words = node.name === undefined ? [] : [...readWord(node.name, found)];
  for (const each of node.args) {
    words.push(...(each.type === 'Word' ? readWord(each, found) : [assignmentWord(each, found)]));
  }
  const assignments = node.prefix.flatMap((each) =>
    each.type === 'Assignment' ? [readAssignment(each, found)] : [],
  );
  const { redirects, input } = readRedirects(node.redirects, found);
  return {
    type: 'simple',
    words,
    assignments,
    redirects,
    nested,
    ...(input === undefined ? undefined : { input }),
  };
};

interface Redirects {
  readonly redirects: readonly FileRedirect[];
  readonly input: GivenInput | undefined;
}

export const readRedirects = (list: readonly Redirection[], found: Findings): Redirects => {
  const redirects: FileRedirect[] = [];
  let input: GivenInput | undefined;
  for (const each of list) {
    if (each.type === 'HereDoc') input = readHereDoc(each, found);
    else if (each.target === undefined) throw new Unreadable('a redirection without a file');
    else {
      const target = readPlainWord(each.target, found);
      if (each.type === 'HereString') input = hereString(target);
      else redirects.push(...fileRedirects(each.operator, target));
    }
  }
  return { redirects, input };
};
