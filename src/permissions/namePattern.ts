import { InvalidOptionError } from '../contract/errors.js';
import type { RuleKind } from './rule.js';
import { matchesText, type TextPattern, textPattern } from './textPattern.js';

/** Which tools a rule is about. */
export interface NamePattern {
  readonly name: TextPattern;
  /** `mcp__server`: all tools of that server too. */
  readonly server?: TextPattern;
}

/** A literal server before the first star: an allow rule never reaches a server nobody named. */
const behindServer = /^mcp__[^*]+__/;
const serverAlone = /^mcp__(?:(?!__)[^*])+$/;

/** @throws InvalidOptionError for no name, characters no name has, and a star an allow rule may not have. */
export const namePattern = (name: string, kind: RuleKind, option: string, text: string): NamePattern => {
  if (!/^[^\s(),]+$/.test(name)) {
    throw new InvalidOptionError(
      option,
      "a rule as `Tool` or `Tool(content)`, beginning with a tool's name",
      text,
    );
  }
  if (kind === 'allow' && name.includes('*') && !behindServer.test(name)) {
    throw new InvalidOptionError(
      option,
      'an allow rule that names its tool; `*` may stand only behind a server (`mcp__server__*`)',
      text,
    );
  }
  const pattern = { name: textPattern(name) };
  return serverAlone.test(name) ? { ...pattern, server: textPattern(`${name}__*`) } : pattern;
};

/** Whether a rule is about a tool, by any of the tool's names. */
export const matchesName = ({ name, server }: NamePattern, names: readonly string[]): boolean =>
  names.some((each) => matchesText(name, each) || (server !== undefined && matchesText(server, each)));
