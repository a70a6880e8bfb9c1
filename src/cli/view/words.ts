import type { Tone } from './style.js';

export type { Tone };

/** A change of state in words. */
export interface Words {
  readonly what: string;
  readonly tone: Tone;
  readonly more: string;
}
