import type { ToolEvent } from '../../src/contract/events.js';
import type { Tool } from '../../src/contract/tool.js';
import { isMarbleTool, type MarbleTool } from './marbleTool.js';

/** A turn that was still going on when its time was up. */
export interface UnfinishedTurn {
  readonly events: readonly ToolEvent[];
  /** The model's message, as drawn. */
  readonly message: string;
  readonly tools: Readonly<Record<string, MarbleTool | Tool>>;
  readonly maxMs: number;
}

const promises = 'Promises do not resolve in virtual time';

/** Why a turn has not ended, and what to do: one line a reason, at least one. */
export const explainUnfinished = (turn: UnfinishedTurn): readonly string[] => {
  const open = openCalls(turn.events);
  const running = open.filter(({ phase }) => phase === 'started');
  const drawn = (name: string): MarbleTool | undefined => {
    const tool = Object.hasOwn(turn.tools, name) ? turn.tools[name] : undefined;
    return isMarbleTool(tool) ? tool : undefined;
  };
  const endless = ({ name }: OpenCall): boolean => !/[|#]/.test(drawn(name)?.marbles ?? '|');
  const reasons = [
    ...(/[|#]/.test(turn.message) ? [] : ["the model's drawing has no end: add |"]),
    ...about(
      running.filter(({ name }) => drawn(name) === undefined),
      `still running. ${promises}: draw the tool, or use ctx.scheduler`,
    ),
    ...about(running.filter(endless), 'still running, and its tool is drawn without an end: add | or #'),
    ...about(
      open.filter(({ phase }) => phase === 'validation'),
      `still being checked. ${promises}: let the schema and validateInput answer at once`,
    ),
  ];
  return reasons.length > 0 ? reasons : [`the turn had not ended after ${turn.maxMs} ms: raise maxMs`];
};

interface OpenCall {
  readonly id: string;
  readonly name: string;
  /** What was heard of it last: that it started, or why it waits. */
  readonly phase: string;
}

const openCalls = (events: readonly ToolEvent[]): readonly OpenCall[] => {
  const open = new Map<string, OpenCall>();
  for (const event of events) {
    if (event.type === 'completed') open.delete(event.toolUseId);
    if (event.type !== 'started' && event.type !== 'waiting') continue;
    const phase = event.type === 'started' ? 'started' : event.reason;
    open.set(event.toolUseId, { id: event.toolUseId, name: event.name, phase });
  }
  return [...open.values()];
};

const about = (calls: readonly OpenCall[], what: string): readonly string[] => {
  if (calls.length === 0) return [];
  const names = calls.map(({ id }) => id).join(', ');
  return [`${names} ${calls.length === 1 ? 'is' : 'are'} ${what}`];
};
