/** The part of a stream that is used. */
export type TerminalStream = Pick<NodeJS.WriteStream, 'write' | 'on'> & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
};

/** Where the command prints: results on one stream, what is wrong on the other. */
export class Terminal {
  readonly #out: TerminalStream;
  readonly #err: TerminalStream;
  #closed = false;
  #lines = '';
  #onClosed: () => void = () => undefined;
  #beforeProblem: () => void = () => undefined;

  constructor(out: TerminalStream = process.stdout, err: TerminalStream = process.stderr) {
    this.#out = out;
    this.#err = err;
    // `| head` has read enough, or the terminal has gone. Without a listener the error is thrown at the program.
    out.on('error', () => this.#close());
    err.on('error', () => undefined);
  }

  /** Columns of the terminal as it is now; `undefined` where the output goes elsewhere. */
  get columns(): number | undefined {
    return this.#out.isTTY === true ? this.#out.columns : undefined;
  }

  /** Lines of the terminal as it is now; `undefined` where the output goes elsewhere. */
  get rows(): number | undefined {
    return this.#out.isTTY === true ? this.#out.rows : undefined;
  }

  get isTerminal(): boolean {
    return this.#out.isTTY === true;
  }

  line(text = ''): void {
    if (this.#closed) return;
    // Written when what is running has ended: a slow terminal must not stand between two events of an instant.
    if (this.#lines === '') queueMicrotask(() => this.#flush());
    this.#lines += `${text}\n`;
  }

  /** Writes at once and as it is, behind all lines before it. */
  write(text: string): void {
    this.#flush();
    if (!this.#closed) this.#out.write(text);
  }

  /** For what must not stand among the results; who has left off reading them does not hear of it. */
  problem(text: string): void {
    this.#flush();
    this.#beforeProblem();
    if (!this.#closed) this.#err.write(`${text}\n`);
  }

  /** Calls back before each problem, so that what is painted on the screen can make room for it. */
  beforeProblem(listener: () => void): void {
    this.#beforeProblem = listener;
  }

  /** Calls back once, when nobody reads the output any more. */
  whenClosed(listener: () => void): void {
    this.#onClosed = listener;
  }

  #flush(): void {
    const lines = this.#lines;
    this.#lines = '';
    if (lines !== '' && !this.#closed) this.#out.write(lines);
  }

  #close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#onClosed();
  }
}
