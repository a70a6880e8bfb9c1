import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type RunOptions, viewOf } from '../../src/cli/runOptions.js';
import { Terminal } from '../../src/cli/terminal.js';
import { JsonView } from '../../src/cli/view/jsonView.js';
import { LiveView } from '../../src/cli/view/liveView.js';
import { PlainView } from '../../src/cli/view/plainView.js';
import { VirtualScreen } from './virtualScreen.js';

const chosen = (options: Partial<RunOptions> = {}, isTTY = true) => {
  const screen = Object.assign(new VirtualScreen(80, 24), { isTTY });
  return viewOf({ color: true, ...options }, new Terminal(screen as never, screen as never));
};

beforeEach(() => {
  vi.stubEnv('TERM', 'xterm-256color');
  vi.stubEnv('CI', undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

describe('a run is shown', () => {
  it('by live rows on a terminal', () => {
    expect(chosen()).toBeInstanceOf(LiveView);
  });

  it('by lines where nothing can be painted over, or they are asked for', () => {
    expect(chosen({}, false)).toBeInstanceOf(PlainView);
    expect(chosen({ plain: true })).toBeInstanceOf(PlainView);
    vi.stubEnv('TERM', 'dumb');
    expect(chosen()).toBeInstanceOf(PlainView);
    vi.stubEnv('TERM', 'xterm');
    vi.stubEnv('CI', 'true');
    expect(chosen()).toBeInstanceOf(PlainView);
  });

  it('as JSON wherever that is asked for', () => {
    expect(chosen({ json: true })).toBeInstanceOf(JsonView);
    expect(chosen({ json: true, plain: true })).toBeInstanceOf(JsonView);
  });
});
