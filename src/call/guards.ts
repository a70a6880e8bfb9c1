import type { InputRepair } from '../contract/options.js';
import type { CanUseTool, Classifier, Permissions } from '../contract/permissions.js';
import type { HookSet, TextStore } from '../hooks/index.js';

/** What stands around the calls of a turn besides their tools. A turn without any of it has none, and pays nothing. */
export interface Guards {
  readonly hooks: HookSet | undefined;
  readonly hookTimeoutMs: number;
  readonly permissions: Permissions;
  readonly canUseTool: CanUseTool | undefined;
  readonly classifier: Classifier | undefined;
  readonly repair: InputRepair | undefined;
  /** Where long texts of hooks go. */
  readonly store: ((hook: string) => TextStore) | undefined;
}
