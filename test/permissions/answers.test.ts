import { describe, expect, it } from 'vitest';
import { readPermissionAnswer, readToolPermission } from '../../src/permissions/index.js';

const throwing = {
  get behavior() {
    throw new Error('no');
  },
};
const odd = [throwing, 'allow', true, {}, [], { behavior: 'Allow' }, { behavior: 'allow', remember: 'Bash' }];

describe("a tool's own check", () => {
  it('is taken as it is, and nothing is no opinion', () => {
    const ask = { behavior: 'ask', message: 'It sends mail.', requiresInteraction: true } as const;
    expect(readToolPermission(ask)).toEqual(ask);
    expect(readToolPermission({ behavior: 'allow', message: undefined })).toEqual({ behavior: 'allow' });
    expect([readToolPermission(undefined), readToolPermission(null)]).toEqual([undefined, undefined]);
  });

  it('refuses the call where it can not be read', () => {
    for (const each of odd.slice(0, -1)) expect(readToolPermission(each)).toMatchObject({ behavior: 'deny' });
    expect(readToolPermission({ behavior: 'ask', requiresInteraction: 'yes' })?.behavior).toBe('deny');
  });
});

describe('the answer of a person', () => {
  it('is taken as it is', () => {
    const remember = [{ behavior: 'allow', rule: 'Bash(ls)' }] as const;
    for (const each of [
      { behavior: 'allow' },
      { behavior: 'allow', input: { a: 1 }, remember },
      { behavior: 'deny', message: 'no', interrupt: true },
    ]) {
      expect(readPermissionAnswer(each)).toEqual(each);
    }
  });

  it('is nothing where it is none', () => {
    for (const each of [...odd, undefined, null, { behavior: 'ask' }, { behavior: 'deny', interrupt: 1 }]) {
      expect(readPermissionAnswer(each)).toBeUndefined();
    }
  });
});
