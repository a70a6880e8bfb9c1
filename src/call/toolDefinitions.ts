import type { Tool, ToolList, ToolMap } from '../contract/tool.js';
import { disown } from '../interop/disown.js';
import { messageOf } from '../results/json.js';
import { copyData } from './copyData.js';
import { registerTools } from './find.js';
import { inputJsonSchemaOf, type JsonSchema } from './inputJsonSchema.js';
import { type ObjectSchema, objectRoot } from './objectRoot.js';

/** What the model is told of a tool, as the Messages API takes it. */
export interface ModelToolDefinition {
  name: string;
  description?: string;
  /** The input side of the tool's schema, an object at its root. */
  input_schema: ObjectSchema;
}

/** A tool that can't be sent, and why; the words are for whoever wrote it. */
export interface RefusedTool {
  readonly name: string;
  readonly reason: string;
}

export interface ToolDefinitions {
  /** In the order of the tools, each new: they may be changed (`cache_control`, …). */
  readonly definitions: ModelToolDefinition[];
  readonly refused: readonly RefusedTool[];
}

/** The same options that `executeTools` takes, so that what is sent is what is found. */
export interface ToolDefinitionsOptions {
  /** Which tools this request offers, by primary name; default all. A throw is no. */
  readonly offered?: (name: string) => boolean;
  /** Which `deferred` tools are sent all the same, since they have been asked for; default none. */
  readonly isSchemaSent?: (name: string) => boolean;
}

/**
 * The definitions of tools for a request to the model.
 *
 * The input side of each schema is sent: what has a default is not required, a transform is what it takes. One tool that
 * can't be sent takes nothing from the others: the API would refuse the whole request for it, so it is left out and
 * named in `refused`, with what to do. Look at `refused` when the program starts: a tool in it is never called.
 *
 * **Gotchas** A union at the root is sent as one object with the properties of all its forms, since the API takes none;
 * what it allows too much is told to the model as `invalid_input` when it is called.
 *
 * @throws InvalidOptionError for tools that `executeTools` would refuse
 * @example
 * ```ts
 * const { definitions, refused } = toolDefinitions(tools);
 * for (const { name, reason } of refused) console.warn(`${name} is not offered: ${reason}`);
 * ```
 */
export const toolDefinitions = (
  tools: ToolMap | ToolList,
  { offered, isSchemaSent }: ToolDefinitionsOptions = {},
): ToolDefinitions => {
  const definitions: ModelToolDefinition[] = [];
  const refused: RefusedTool[] = [];
  for (const tool of registerTools(tools).byName.values()) {
    if (!saysYes(offered, tool.name, true)) continue;
    if (tool.deferred === true && !saysYes(isSchemaSent, tool.name, false)) continue;
    try {
      definitions.push(definitionOf(tool));
    } catch (error) {
      refused.push({ name: tool.name, reason: messageOf(error) });
    }
  }
  return { definitions, refused };
};

const saysYes = (ask: ((name: string) => boolean) | undefined, name: string, otherwise: boolean): boolean => {
  try {
    if (ask === undefined) return otherwise;
    const answer: unknown = ask(name);
    return !disown(answer) && answer === true;
  } catch {
    return false;
  }
};

const definitionOf = (tool: Tool): ModelToolDefinition => {
  if (!/^[a-zA-Z0-9_-]{1,128}$/.test(tool.name))
    throw new Error('its name is not made of 1 to 128 letters, digits, `_` and `-`');
  const input_schema = objectRoot(tidied(inputJsonSchemaOf(tool.inputSchema)));
  const odd = Object.keys(input_schema.properties ?? {}).find((key) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(key));
  if (odd !== undefined) {
    const rule = 'not made of 1 to 64 letters, digits, `_`, `.` and `-`';
    throw new Error(`its property ${JSON.stringify(odd)} has a name that is ${rule}`);
  }
  const { name, description } = tool;
  return { name, ...(description === undefined ? {} : { description }), input_schema };
};

/** A copy, without what the API takes for granted. */
const tidied = (schema: JsonSchema): JsonSchema => {
  const { $schema, ...rest } = copyData(schema) as JsonSchema;
  return $schema === undefined || $schema === 'https://json-schema.org/draft/2020-12/schema'
    ? rest
    : { $schema, ...rest };
};
