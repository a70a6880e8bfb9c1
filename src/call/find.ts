import { checkTool } from '../contract/defineTool.js';
import { InvalidOptionError } from '../contract/errors.js';
import type { Tool, ToolList, ToolMap } from '../contract/tool.js';

/** The tools of a turn, by primary and by former names. */
export interface Registry {
  readonly byName: ReadonlyMap<string, Tool>;
  readonly byAlias: ReadonlyMap<string, Tool>;
  /** Some tool may cancel its siblings. */
  readonly canCascade: boolean;
  /** Some tool has an opinion of its own on permissions. */
  readonly hasChecks: boolean;
}

/**
 * Reads the `tools` option, a map or a list.
 *
 * @throws InvalidOptionError for two tools of one name or alias, or a key that is not its tool's name
 */
export const registerTools = (tools: ToolMap | ToolList): Registry => {
  // A Map has no own members: it would offer no tools, and say nothing.
  if (typeof tools !== 'object' || tools === null || Symbol.iterator in tools !== Array.isArray(tools)) {
    throw new InvalidOptionError('tools', 'a plain object or a list of tools', tools);
  }
  const known = registries.get(tools);
  if (known !== undefined && isStill(known, tools)) return known.registry;
  const registry = read(tools);
  registries.set(tools, { registry, tools: Object.values(tools) });
  return registry;
};

/** The next turn has the same tools, as a rule: they are read once, and again when the map has changed. */
const registries = new WeakMap<object, Known>();

interface Known {
  readonly registry: Registry;
  readonly tools: readonly Tool[];
}

const isStill = (known: Known, tools: ToolMap | ToolList): boolean => {
  const now = Object.values(tools);
  return (
    now.length === known.tools.length &&
    now.every((tool, i) => tool === known.tools[i] && Object.isFrozen(tool))
  );
};

const read = (tools: ToolMap | ToolList): Registry => {
  const byName = new Map<string, Tool>();
  const byAlias = new Map<string, Tool>();
  for (const [key, tool] of Object.entries(tools)) {
    const where = Array.isArray(tools) ? `tools[${key}]` : `tools.${key}`;
    register(tool, where, byName, byAlias);
    if (!Array.isArray(tools) && tool.name !== key) {
      throw new InvalidOptionError(where, `the tool named ${JSON.stringify(key)}`, tool.name);
    }
  }
  const all = [...byName.values()];
  return {
    byName,
    byAlias,
    canCascade: all.some(({ abortsSiblings }) => abortsSiblings !== undefined && abortsSiblings !== false),
    hasChecks: all.some(({ checkPermissions }) => checkPermissions !== undefined),
  };
};

const register = (tool: Tool, where: string, byName: Map<string, Tool>, byAlias: Map<string, Tool>): void => {
  checkTool(tool, where);
  if (byName.has(tool.name)) throw new InvalidOptionError(where, 'a tool of a new name', tool.name);
  byName.set(tool.name, tool);
  for (const alias of tool.aliases ?? []) {
    if (byAlias.has(alias))
      throw new InvalidOptionError(`${where}.aliases`, 'aliases no other tool has', alias);
    byAlias.set(alias, tool);
  }
};

/**
 * The tool a call names (SPEC §5.1): by primary name among those offered; else by alias among all, since an old
 * conversation may use a former name. A tool that is not offered is never found by its primary name.
 */
export const findTool = (
  { byName, byAlias }: Registry,
  name: string,
  offered: ((name: string) => boolean) | undefined,
): Tool | undefined => {
  const primary = byName.get(name);
  if (primary !== undefined && offered?.(name) !== false) return primary;
  const former = byAlias.get(name);
  return former === primary ? undefined : former;
};

/** The names most like this one, nearest first: at most three, none that is mostly different. */
export const nearestNames = (name: string, names: readonly string[]): readonly string[] =>
  names
    .map((each) => ({ each, distance: editDistance(name.toLowerCase().slice(0, 100), each.toLowerCase()) }))
    .filter(({ each, distance }) => distance <= Math.max(2, each.length / 2))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ each }) => each);

/** How many characters must be put in, taken out or changed to make one text of the other. */
const editDistance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const above = row;
    row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (above[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(change, (above[j] as number) + 1, (row[j - 1] as number) + 1));
    }
  }
  return row[b.length] as number;
};
