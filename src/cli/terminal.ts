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
  #held = false;
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

  /** Whether a person can be asked: what asks stands on the stream for what is wrong, apart from results. */
  get canAsk(): boolean {
    return this.#err.isTTY === true;
  }

  /** Columns a question may take. */
  get questionColumns(): number | undefined {
    return this.#err.columns;
  }

  /** Keeps lines back until `release`, so that nothing is written into a question that stands open. */
  hold(): void {
    this.#flush();
    // What goes to a file or a program is in nobody's way.
    this.#held = this.isTerminal;
  }

  release(): void {
    this.#held = false;
    this.#flush();
  }

  /** Writes a part of a question, at once and as it is. */
  question(text: string): void {
    if (!this.#closed) this.#err.write(text);
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
    // An open question has an unfinished line.
    if (!this.#closed) this.#err.write(`${this.#held ? '\n' : ''}${text}\n`);
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
    if (this.#held) return;
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
