import { basename } from 'node:path';

/** How a shell begins, and how it reads. */
export interface ShellSettings {
  /** The environment sets options of the shell, or names a file that may: who ended with 1 can't be told then. */
  readonly preset: boolean;
  /** The environment may give names another meaning: functions, or a file that is run first. */
  readonly renames: boolean;
  /** It is Bash: other shells read some texts otherwise. */
  readonly isBash: boolean;
}

/** What is known of a shell's beginning from its program and its environment. */
export const shellSettings = (env: NodeJS.ProcessEnv, shell: string): ShellSettings => {
  const isSet = (name: string): boolean => (env[name] ?? '') !== '';
  return {
    preset: ['SHELLOPTS', 'BASH_ENV', 'ENV'].some(isSet),
    renames: isSet('BASH_ENV') || Object.keys(env).some((name) => name.startsWith('BASH_FUNC_')),
    isBash: basename(shell) === 'bash',
  };
};
