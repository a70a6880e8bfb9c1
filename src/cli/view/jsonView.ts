import { jsonLine } from '../../../marbles/record/jsonLine.js';
import type { LateEvent, ToolEvent } from '../../contract/index.js';
import type { Terminal } from '../terminal.js';
import type { RunView } from './runView.js';

/** One event a line as JSON, and nothing else on the standard output. */
export class JsonView implements RunView {
  constructor(private readonly terminal: Terminal) {}

  begin(): void {}

  model(): void {}

  event(event: ToolEvent): void {
    this.terminal.line(jsonLine(event));
  }

  late({ toolUse, type }: LateEvent): void {
    this.terminal.problem(`millrace: late: ${jsonLine({ toolUseId: toolUse.id, type })}`);
  }

  pause(): void {}

  resume(): void {}

  interrupting(): void {}

  end(): void {}
}
