import { TurnScript } from '../model/events.js';

const cols =
  (scale: number) =>
  (column: number): number =>
    column * scale;

/** The first picture of the notation: a batch of three, an edit alone, a read behind it. */
export const parallelRun = (): TurnScript => {
  const turn = new TurnScript();
  const at = cols(20);
  turn
    .call('r1', 'Read')
    .input(at(0), at(1))
    .queued(at(2), { index: 0, batch: 0, safe: true, input: { path: 'a.ts' } })
    .started(at(2))
    .done(at(9));
  turn
    .call('g2', 'Grep')
    .input(at(2))
    .queued(at(3), { index: 1, batch: 0, safe: true, input: { pattern: 'TODO' } })
    .started(at(3))
    .progress(at(10), at(16), at(17), at(17) + 5, at(24))
    .done(at(31));
  turn
    .call('g3', 'Glob')
    .input(at(3))
    .queued(at(4), { index: 2, batch: 0, safe: true, input: { pattern: '**.ts' } })
    .started(at(4))
    .completed(at(15))
    .result(at(31));
  turn
    .call('e4', 'Edit')
    .input(at(4))
    .queued(at(6), { index: 3, batch: 1, safe: false, input: { path: 'a.ts' } })
    .waiting(at(6), 'exclusive', ['r1', 'g2', 'g3'])
    .started(at(31))
    .done(at(45));
  turn
    .call('r5', 'Read')
    .input(at(6))
    .queued(at(7), { index: 4, batch: 2, safe: true, input: { path: 'b.ts' } })
    .waiting(at(7), 'batch', ['e4'])
    .started(at(45))
    .done(at(59));
  return turn;
};

/** The second: a permission, retries, a failure that aborts its siblings. */
export const abortedRun = (): TurnScript => {
  const turn = new TurnScript();
  const at = cols(50);
  const by = { type: 'call', toolUseId: 'p8', name: 'probe' } as const;
  turn
    .call('w7', 'WebFetch')
    .input(at(0))
    .queued(at(2), { index: 0, batch: 0, safe: true, input: { url: 'https://a.example' } })
    .permission(at(2), 'asked')
    .permission(at(18), 'decided')
    .started(at(18))
    .progress(at(24), at(30));
  const probe = turn
    .call('p8', 'probe')
    .input(at(2))
    .queued(at(4), { index: 1, batch: 0, safe: true })
    .started(at(4))
    .progress(400, 410, 420, 700, 710, 1000, 1300, 1310, 1320, 1330, 1600);
  turn
    .call('w9', 'WebFetch')
    .input(at(4))
    .queued(at(5), { index: 2, batch: 0, safe: true })
    .started(at(5))
    .failed(at(15), 1, 'HTTP 503', 250)
    .waiting(at(15), 'backoff')
    .started(at(20), 2)
    .failed(at(30), 2, 'no answer within 500ms', 300, { type: 'limit', limit: 'attempt', ms: 500 })
    .waiting(at(30), 'backoff');
  turn
    .call('e10', 'Edit')
    .input(at(5))
    .queued(at(7), { index: 3, batch: 1, safe: false, input: { path: 'c.ts' } })
    .waiting(at(7), 'exclusive', ['w7', 'p8', 'w9']);
  probe.done(at(35), 'tool_error', { error: { message: 'exit 1' } });
  for (const [id, name] of [
    ['w7', 'WebFetch'],
    ['w9', 'WebFetch'],
    ['e10', 'Edit'],
  ] as const) {
    turn.call(id, name).done(at(35), 'sibling_aborted', { by, executed: 'unknown', stopped: true });
  }
  return turn;
};
