import { VirtualTimeScheduler } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { playReply } from '../../../src/cli/reply/playReply.js';

const reply = {
  path: 'a.sse',
  hasDelays: true,
  frames: [0, 10, 10, 40].map((at, i) => ({ at, text: `${i}` })),
};

/** `text@time` of what is played. */
const play = (speed: number): string[] => {
  const clock = new VirtualTimeScheduler();
  const seen: string[] = [];
  playReply(reply, speed, clock).subscribe({
    next: (text) => seen.push(`${text}@${clock.now()}`),
    complete: () => seen.push('end'),
  });
  expect(seen).toEqual([]);
  clock.flush();
  return seen;
};

describe('playReply', () => {
  it('plays every event when it is due', () => {
    expect(play(1)).toEqual(['0@0', '1@10', '2@10', '3@40', 'end']);
  });

  it('plays several times as fast, or without delays', () => {
    expect(play(2)).toEqual(['0@0', '1@5', '2@5', '3@20', 'end']);
    expect(play(Number.POSITIVE_INFINITY)).toEqual(['0@0', '1@0', '2@0', '3@0', 'end']);
  });

  it('leaves nothing behind when it is left in the middle', () => {
    const clock = new VirtualTimeScheduler();
    const seen: string[] = [];
    const playing = playReply(reply, 1, clock).subscribe((text) => {
      seen.push(text);
      if (text === '1') playing.unsubscribe();
    });
    clock.flush();
    expect(seen).toEqual(['0', '1']);
    expect(clock.actions).toEqual([]);
  });
});
