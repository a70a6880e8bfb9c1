import type { Classifier, ClassifierRequest, RuleTarget } from '../contract/permissions.js';
import { isBelow } from './folders.js';

/** Where reading is harmless. Folders are compared with real paths, so give real ones. */
export interface ReadOnlyClassifierOptions {
  /** Absolute working directory. */
  readonly cwd: string;
  /** Absolute folders beside it. */
  readonly additionalDirectories?: readonly string[];
}

/**
 * A classifier that allows what is certain only to read, and only below the folders it is given: `git log`,
 * `grep -r TODO src`, without a prompt.
 *
 * **Gotchas** It speaks only where it can see all of a call: a command that its tool does not call read-only, a file
 * elsewhere (`cat ~/.ssh/id_rsa`), a host, and what can't be looked into are left to whoever is asked. It lifts soft
 * asks only, as every classifier: deny and ask rules hold.
 *
 * @example
 * ```ts
 * const classifier = readOnlyClassifier({ cwd: '/home/me/project' });
 * ```
 */
export const readOnlyClassifier = ({
  cwd,
  additionalDirectories = [],
}: ReadOnlyClassifierOptions): Classifier => {
  const folders = [cwd, ...additionalDirectories];
  return {
    applies: ({ targets, isReadOnly }: ClassifierRequest) =>
      isReadOnly && targets.length > 0 && targets.every((target) => onlyReads(target, folders)),
    classify: () => 'allow',
  };
};

const onlyReads = (target: RuleTarget, folders: readonly string[]): boolean => {
  if (target.type === 'command') return target.isReadOnly;
  if (target.type !== 'path' || target.access !== 'read') return false;
  // A link and what it leads to: both ends.
  return target.paths.every((path) => folders.some((folder) => isBelow(path, folder)));
};
