import { createHash } from 'node:crypto';
import type { PermissionMode, RuleTarget, ToolPermission } from '../../../src/contract/permissions.js';
import {
  createPermissions,
  type Decision,
  decide,
  type HookOpinion,
  judgeRules,
  type ModeFault,
} from '../../../src/permissions/index.js';

/** Every dimension from what loosens most to what tightens most, where its values have such an order. */
export const rules = {
  'allow rule': { allow: ['Note'] },
  'no rule': {},
  'ask rule': { ask: ['Note'] },
  'other deny': { deny: ['Note(rm *)'] },
  'deny rule': { deny: ['Note'] },
} as const;

export const hooks = ['allow', 'none', 'ask', 'defer', 'deny'] as const;
export const tools = ['allow', 'none', 'ask', 'interaction', 'deny'] as const;
export const callbacks = ['allows', 'none', 'denies'] as const;
export const modes = [
  'bypassPermissions',
  'acceptEdits',
  'auto',
  'default',
  'plan',
  'dontAsk',
  'fault',
] as const;

export const targets = {
  read: { type: 'path', access: 'read', paths: ['/p/a'] },
  edit: { type: 'path', access: 'edit', paths: ['/p/a'] },
  protected: { type: 'path', access: 'edit', paths: ['/p/.git/config'] },
  unparsed: { type: 'unparsed', reason: 'the quote has no end' },
} as const satisfies Readonly<Record<string, RuleTarget>>;

export interface Cell {
  readonly rule: keyof typeof rules;
  readonly target: keyof typeof targets;
  readonly hook: (typeof hooks)[number];
  readonly tool: (typeof tools)[number];
  readonly mode: (typeof modes)[number];
  readonly callback: (typeof callbacks)[number];
}

const keys = <T extends object>(object: T): readonly (keyof T)[] => Object.keys(object) as (keyof T)[];

/** All cells, in the order in which they are printed. */
export function* cells(): Generator<Cell> {
  for (const target of keys(targets))
    for (const rule of keys(rules))
      for (const hook of hooks)
        for (const tool of tools)
          for (const mode of modes)
            for (const callback of callbacks) yield { rule, target, hook, tool, mode, callback };
}

const opinion = (tool: Cell['tool']): ToolPermission | undefined => {
  if (tool === 'none') return undefined;
  return tool === 'interaction' ? { behavior: 'ask', requiresInteraction: true } : { behavior: tool };
};

const hookOpinion = (hook: Cell['hook']): HookOpinion | undefined =>
  hook === 'none' ? undefined : { decision: hook, hook: 'guard' };

const modeOf = (mode: Cell['mode']): PermissionMode | ModeFault =>
  mode === 'fault' ? { fault: 'it failed' } : mode;

const permissions = Object.fromEntries(
  keys(rules).map((rule) => [rule, createPermissions({ cwd: '/p', home: '/h', rules: rules[rule] })]),
);

/** What is decided before anybody is asked. */
export const decisionOf = ({ rule, target, hook, tool, mode, callback }: Cell): Decision => {
  const offered: readonly RuleTarget[] = [targets[target]];
  const call = { names: ['Note'], input: {}, parsed: {}, targets: offered };
  const said = { tool: opinion(tool), hook: hookOpinion(hook) };
  return decide({
    rules: judgeRules(permissions[rule] as (typeof permissions)[string], call),
    mode: modeOf(mode),
    targets: offered,
    canAsk: callback !== 'none',
    isConfigured: true,
    ...(said.tool && { tool: said.tool }),
    ...(said.hook && { hook: said.hook }),
  });
};

/** What becomes of the call, once it has been asked about where it is. */
export const runs = (cell: Cell): boolean => {
  const { decision } = decisionOf(cell);
  return decision === 'allow' || (decision === 'ask' && cell.callback === 'allows');
};

const letters = { allow: 'a', deny: '-', ask: '?' } as const;

const header = `${'rule'.padEnd(11)}${'hook'.padEnd(6)}${'tool'.padEnd(12)}${modes.map((mode) => mode.slice(0, 9).padEnd(10)).join('')}`;

/** One line for rule, hook and tool; a column for each mode, in it the callback that is not there and one that is. */
export const tableText = (): string => {
  const lines: string[] = [
    'a allowed   ? a person is asked   ! asked, and nothing but a person can allow it   - denied',
    'In each mode: where nobody can be asked, where somebody can.',
  ];
  for (const target of keys(targets)) {
    lines.push('', `${target} target`, header);
    for (const rule of keys(rules))
      for (const hook of hooks) for (const tool of tools) lines.push(line({ target, rule, hook, tool }));
  }
  return lines.join('\n');
};

const line = (row: Omit<Cell, 'mode' | 'callback'>): string => {
  const columns = modes.map((mode) =>
    (['none', 'allows'] as const)
      .map((callback) => letterOf(decisionOf({ ...row, mode, callback })))
      .join('')
      .padEnd(10),
  );
  return `${row.rule.padEnd(11)}${row.hook.padEnd(6)}${row.tool.padEnd(12)}${columns.join('')}`.trimEnd();
};

const letterOf = ({ decision, isHard }: Decision): string =>
  decision === 'ask' && isHard ? '!' : letters[decision];

/** Counts of what is decided, and a hash of the whole table: no cell changes unseen. */
export const digest = (): string => {
  const counts = { allow: 0, ask: 0, deny: 0 };
  for (const cell of cells()) counts[decisionOf(cell).decision]++;
  const hash = createHash('sha256').update(tableText()).digest('hex').slice(0, 16);
  return `${counts.allow} allow, ${counts.ask} ask, ${counts.deny} deny, table ${hash}`;
};
