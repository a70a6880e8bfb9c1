import type { Tool } from '../contract/tool.js';
import { disown } from '../interop/disown.js';

/** A tool's yes or no about an input; `undefined` where it has none. A throw, or anything but `true`, is no. */
export const readHint = (
  tool: Tool,
  hint: 'isReadOnly' | 'isDestructive' | 'isIdempotent',
  input: unknown,
): boolean | undefined => {
  if (tool[hint] === undefined) return undefined;
  try {
    const answer: unknown = tool[hint]?.(input as never);
    disown(answer);
    return answer === true;
  } catch {
    return false;
  }
};
