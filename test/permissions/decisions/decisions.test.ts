import { describe, expect, it } from 'vitest';
import { type Cell, callbacks, cells, decisionOf, digest, hooks, rules, runs, tools } from './table.js';

const isNever = ({ rule, hook, tool, mode, target }: Cell): boolean =>
  rule === 'deny rule' ||
  hook === 'deny' ||
  hook === 'defer' ||
  tool === 'deny' ||
  mode === 'fault' ||
  (mode === 'plan' && target !== 'read');

const isHard = ({ rule, hook, tool, mode, target }: Cell): boolean =>
  rule === 'ask rule' ||
  hook === 'ask' ||
  tool === 'interaction' ||
  target === 'protected' ||
  (target === 'unparsed' && (rule === 'other deny' || (rule === 'no rule' && mode !== 'bypassPermissions')));

const all = [...cells()];

describe('the decision table', () => {
  it('has no cell that is looser than any denial among its parts', () => {
    for (const cell of all.filter(isNever)) expect([cell, decisionOf(cell).decision]).toEqual([cell, 'deny']);
  });

  it('runs a call with a hard ask only where a person allows it, and never in dontAsk', () => {
    for (const cell of all.filter((each) => isHard(each) && !isNever(each))) {
      const isAllowed = cell.callback === 'allows' && cell.mode !== 'dontAsk';
      expect([cell, runs(cell)]).toEqual([cell, isAllowed]);
      if (isAllowed)
        expect(decisionOf(cell)).toMatchObject({ decision: 'ask', isHard: true, asks: 'person' });
    }
  });

  it('runs everything else where something lifts the ask or a person allows it', () => {
    for (const cell of all.filter((each) => !isHard(each) && !isNever(each))) {
      const { rule, hook, tool, mode, target, callback } = cell;
      const isLifted =
        mode === 'bypassPermissions' ||
        rule === 'allow rule' ||
        hook === 'allow' ||
        tool === 'allow' ||
        (mode === 'acceptEdits' && target !== 'unparsed') ||
        (mode === 'plan' && tool !== 'ask');
      const isAsked = callback === 'allows' && mode !== 'dontAsk';
      expect([cell, runs(cell)]).toEqual([cell, isLifted || isAsked]);
    }
  });

  it('is never loosened by tightening one part', () => {
    const orders = {
      rule: Object.keys(rules) as Cell['rule'][],
      hook: hooks,
      tool: tools,
      callback: callbacks,
    } as const;
    let compared = 0;
    for (const cell of all) {
      for (const part of Object.keys(orders) as (keyof typeof orders)[]) {
        const order: readonly string[] = orders[part];
        const tighter = order[order.indexOf(cell[part]) + 1];
        if (tighter === undefined || isIncomparable(part, tighter)) continue;
        compared++;
        if (runs({ ...cell, [part]: tighter }))
          expect([cell, tighter, runs(cell)]).toEqual([cell, tighter, true]);
      }
    }
    expect(compared).toBeGreaterThan(30_000);
  });

  it('is as committed', () => {
    expect(digest()).toBe('624 allow, 1284 ask, 8592 deny, table 6afe4085d4a36375');
  });
});

/** A deny rule for something else is looser than an ask rule for this, and the two are neighbours in the list. */
const isIncomparable = (part: string, tighter: string): boolean =>
  part === 'rule' && tighter === 'other deny';
