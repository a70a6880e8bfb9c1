import { closeSync, mkdtempSync, openSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Bytes; a command that prints for ever must not fill the disk. */
const MAX_BYTES = 64 * 1024 * 1024;

/** A file for what a command in the background prints, in a folder of its own that nobody else may enter. */
export class OutputFile {
  readonly path: string;
  readonly #limit: number;
  #handle: number | undefined;
  #written = 0;

  /** @throws what the system says where the disk does not take it */
  constructor(limit = MAX_BYTES) {
    this.#limit = limit;
    this.path = join(mkdtempSync(join(tmpdir(), 'millrace-bash-')), 'output.txt');
    this.#handle = openSync(this.path, 'wx', 0o600);
  }

  /** Written at once, so that who reads the file sees all that has been printed. */
  write(text: string): void {
    if (text === '' || this.#handle === undefined) return;
    try {
      const bytes = Buffer.from(text);
      const written = writeSync(this.#handle, bytes);
      this.#written += written;
      if (written === bytes.length && this.#written <= this.#limit) return;
      writeSync(this.#handle, `\n[no more is kept after ${this.#written} bytes]\n`);
    } catch {
      // The disk is full, say: the command goes on, what it prints from now on is lost.
    }
    this.close();
  }

  close(): void {
    if (this.#handle !== undefined) closeSync(this.#handle);
    this.#handle = undefined;
  }
}
