import type { StandardIssue } from '../contract/tool.js';
import { toJson } from '../results/json.js';

/** Issues as lines that let the model mend its call: path, what was wrong, what came. */
export const describeIssues = (issues: readonly StandardIssue[], input: unknown): readonly string[] => {
  const lines = issues.slice(0, 10).map((issue) => describeIssue(issue, input));
  return issues.length > 10 ? [...lines, `and ${issues.length - 10} more`] : lines;
};

/** A foreign schema's issues may be anything; what can't be read of one is left out. */
const describeIssue = (issue: StandardIssue, input: unknown): string => {
  try {
    const path = Array.isArray(issue.path) ? issue.path.map(stepOf) : [];
    const at = path.length === 0 ? 'the input' : `\`${pathText(path)}\``;
    const said: unknown = issue.message;
    const message = typeof said === 'string' && said.trim() !== '' ? said : 'it is not valid';
    return `${at}: ${message}${got(valueAt(input, path), message)}`;
  } catch {
    return `the input: it is not valid${got(input, '')}`;
  }
};

const stepOf = (step: PropertyKey | { readonly key: PropertyKey }): PropertyKey =>
  typeof step === 'object' && step !== null ? step.key : step;

const pathText = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    return text === '' ? String(step) : `${text}.${String(step)}`;
  }, '');

const valueAt = (input: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, step) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, step)
        ? (value as Readonly<Record<PropertyKey, unknown>>)[step]
        : undefined,
    input,
  );

/** What came in its place: the kind of a value and a little of it, without what the message has said already. */
const got = (value: unknown, message: string): string => {
  if (value === undefined) return '';
  const kind = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  const told = message.endsWith(` received ${kind}`);
  if (value === null) return told ? '' : '; got null';
  // JSON knows no infinite number and would call it null.
  const text = typeof value === 'number' ? String(value) : toJson(value);
  const short = text.length > 80 ? `${text.slice(0, 77).toWellFormed()}...` : text;
  return told ? ` ${short}` : `; got ${kind} ${short}`;
};
