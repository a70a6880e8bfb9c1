import type { PermissionRules } from '../../../../../src/contract/permissions.js';

const programs = (names: string): readonly string[] => names.split(' ').map((name) => `Bash(${name} *)`);

/** Rules the commands are judged by, in the manner of real settings. */
export const ruleSets = {
  /** A developer's list: programs by name, files below the project, a few things forbidden. */
  everyday: {
    allow: [
      ...programs(
        'git npm npx pnpm yarn node python3 pytest cargo go make tsc eslint prettier vitest jest docker gh echo printf cat head tail wc ls pwd cd',
      ),
      ...programs(
        'grep rg find sed awk sort uniq cut tr diff cmp test [ true false sleep date which type stat file du df tree jq xargs tee',
      ),
      ...programs(
        'command mkdir touch cp mv rm ln chmod tar curl basename dirname realpath env set export unset read wait exit source ps uname id',
      ),
      'Read(./**)',
      'Edit(./**)',
      'Read(//tmp/**)',
      'Edit(//tmp/**)',
    ],
    deny: [
      'Bash(git clean:*)',
      'Bash(git push --force*)',
      'Bash(npm publish:*)',
      'Read(.env)',
      'Read(secrets/**)',
      'Edit(package-lock.json)',
    ],
  },
  /** Everything is allowed that is not forbidden: whoever gets around the list gets through. */
  everything: {
    allow: ['Bash', 'Read', 'Edit'],
    deny: [
      'Bash(git clean:*)',
      'Read(.env)',
      'Read(secrets/**)',
      'Edit(package-lock.json)',
      'Edit(locked/**)',
    ],
  },
  /** Little is allowed: what is run behind its back must not be. */
  narrow: {
    allow: [
      'Bash(git status:*)',
      'Bash(git log:*)',
      'Bash(ls *)',
      'Bash(echo *)',
      'Bash(cat *)',
      'Bash(npm test)',
      'Bash(grep *)',
      'Read(./**)',
    ],
  },
} as const satisfies Readonly<Record<string, PermissionRules>>;

export type RuleSetName = keyof typeof ruleSets;
