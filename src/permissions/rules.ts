import { InvalidOptionError } from '../contract/errors.js';
import { namePattern } from './namePattern.js';
import { pathPattern } from './pathPattern.js';
import type { HostPattern, ParamPattern, Rule, RuleContent, RuleKind, RulePlace } from './rule.js';
import { commandPattern, textPattern } from './textPattern.js';

/** Tools whose brackets hold a path, and the access it is about, in calls of every tool. */
const accesses: Readonly<Record<string, 'read' | 'edit'>> = { Read: 'read', Edit: 'edit' };
/** Tools that change files and have no path rules of their own. */
const changers: ReadonlySet<string> = new Set(['Write', 'NotebookEdit', 'MultiEdit']);
/** Tools whose brackets hold a shell command, in which a `:` is nothing special. */
const shells: ReadonlySet<string> = new Set(['Bash', 'PowerShell']);

/**
 * Reads one permission rule in the public syntax: `Tool`, `Bash(git *)`, `Read(./secrets/**)`,
 * `WebFetch(domain:example.com)`, `mcp__server__*`, `Tool(param:value)`.
 *
 * @param kind the list it stands in; `if` for a hook's condition, which may say all that an ask rule may
 * @param place where it was found and the folders its patterns start from
 * @throws InvalidOptionError naming `place.option`, for a rule that can't be understood: none is ever dropped
 */
export const parseRule = (text: string, kind: RuleKind, place: RulePlace): Rule => {
  if (typeof text !== 'string') throw new InvalidOptionError(place.option, 'a rule in text form', text);
  const [name, content] = splitRule(text.trim(), place.option);
  const pattern = namePattern(name, kind, place.option, text);
  const access = Object.hasOwn(accesses, name) ? accesses[name] : undefined;
  const rule = {
    text: text.trim(),
    kind,
    name: pattern,
    ...(place.source === undefined ? undefined : { source: place.source }),
    ...(access === undefined ? undefined : { access }),
  };
  if (content === undefined || content === '*') return { ...rule, content: { type: 'any' } };
  return { ...rule, ...readContent(name, content, kind, place, text) };
};

/** The tool's name and what stands in the brackets, which go from the first `(` to the `)` at the end. */
const splitRule = (text: string, option: string): readonly [string, string | undefined] => {
  const open = text.indexOf('(');
  if (open === -1) return [text, undefined];
  const content = text.slice(open + 1, -1).trim();
  if (text.endsWith(')') && content !== '') return [text.slice(0, open), content];
  throw new InvalidOptionError(option, 'a rule as `Tool` or `Tool(content)`', text);
};

type Content = Pick<Rule, 'content' | 'param' | 'warning'>;

const readContent = (
  name: string,
  content: string,
  kind: RuleKind,
  place: RulePlace,
  text: string,
): Content => {
  const param = kind === 'allow' ? undefined : paramPattern(content);
  const withParam = param === undefined ? undefined : { param };
  if (Object.hasOwn(accesses, name)) {
    return { content: { type: 'path', path: pathPattern(content, kind, place, text) }, ...withParam };
  }
  if (changers.has(name)) return { ...changerContent(name, content), ...withParam };
  if (shells.has(name)) return { content: { type: 'own', command: commandPattern(content) }, ...withParam };
  if (name === 'WebFetch' && !content.startsWith('domain:') && param === undefined) {
    throw new InvalidOptionError(place.option, 'a rule for WebFetch as `WebFetch(domain:host)`', text);
  }
  if (kind === 'allow') refuseParam(name, content, place, text);
  return { content: ownContent(content, kind, place, text), ...withParam };
};

const changerContent = (name: string, content: string): Content => ({
  content: { type: 'never' },
  warning: `\`${name}(${content})\` never matches a path: write \`Edit(${content})\`, which holds for every tool that changes files`,
});

/** Members of an input are never a reason to allow: what else the input holds would go unseen. */
const refuseParam = (name: string, content: string, { option }: RulePlace, text: string): void => {
  if (/^domain:/.test(content)) return;
  if (!name.startsWith('mcp__') && (paramPattern(content) === undefined || content.endsWith(':*'))) return;
  throw new InvalidOptionError(
    option,
    'an allow rule; `Tool(param:value)` stands in deny and ask rules only',
    text,
  );
};

const paramPattern = (content: string): ParamPattern | undefined => {
  const [, member, value] = /^([A-Za-z_$][\w$-]*):(.+)$/s.exec(content) ?? [];
  // `git:*` is a prefix, `domain:` a host, `https://…` and `C:/…` are what they look like.
  if (member === undefined || value === undefined || value === '*' || member === 'domain') return undefined;
  if (value.startsWith('//') || (member.length === 1 && value.startsWith('/'))) return undefined;
  return { member, value: textPattern(value) };
};

/** For tools nobody knows here: whatever kind of target their calls will offer. */
const ownContent = (content: string, kind: RuleKind, place: RulePlace, text: string): RuleContent => {
  const host = hostPattern(content, place, text);
  if (host !== undefined) return { type: 'own', host };
  const command = commandPattern(content);
  try {
    return { type: 'own', command, path: pathPattern(content, kind, place, text) };
  } catch {
    // No path can be meant. Where the call offers nothing but paths, a deny or ask rule can't be excluded.
    return { type: 'own', command };
  }
};

const hostPattern = (content: string, { option }: RulePlace, text: string): HostPattern | undefined => {
  if (!content.startsWith('domain:')) return undefined;
  const written = content.slice('domain:'.length).trim();
  if (written === '*') return { host: '*', below: false };
  const below = written.startsWith('*.');
  const host = hostOf(below ? written.slice(2) : written);
  if (host !== undefined) return { host, below };
  throw new InvalidOptionError(
    option,
    'a rule as `WebFetch(domain:host)`, without scheme, port or path',
    text,
  );
};

/** A host as URLs spell it: lower case, other scripts and odd numbers in the one form they are compared in. */
const hostOf = (text: string): string | undefined => {
  if (!/^([^\s/*:@?#\\[\]]+|\[[\da-fA-F:.]+\])$/.test(text)) return undefined;
  try {
    return new URL(`http://${text}/`).hostname.replace(/\.$/, '');
  } catch {
    return undefined;
  }
};
