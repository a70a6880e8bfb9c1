import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs';
import { harmless } from '../../marbles/draw/harmless.js';
import { RECORDING_FORMAT, type RecordingInfo } from '../../marbles/record/recording.js';
import { eventLine, headerLine } from '../../marbles/record/writeRecording.js';
import type { ToolEvent } from '../contract/index.js';
import { CliError, systemReason } from './cliError.js';

/**
 * A recording on disk, mode 0600: inputs and outputs of tools may hold secrets.
 *
 * Every line is written whole, at once, so that a crash leaves at most one unfinished line; where the disk is
 * full, the part of a line that was written is taken back.
 */
export class RecordingFile {
  readonly #file: number;
  readonly #path: string;
  #size = 0;

  /**
   * Begins a recording; one that is there already is replaced, any other file is left alone.
   *
   * @throws CliError where the file can't be written or is something else.
   */
  constructor(path: string, info: RecordingInfo) {
    this.#path = path;
    this.#file = open(path);
    this.#write(headerLine(info));
  }

  /** @throws CliError where the disk won't take it; the lines before stay whole. */
  add(event: ToolEvent): void {
    this.#write(eventLine(event));
  }

  close(): void {
    closeSync(this.#file);
  }

  #write(line: string): void {
    const bytes = Buffer.from(line);
    try {
      for (let written = 0; written < bytes.length; ) written += writeSync(this.#file, bytes, written);
      this.#size += bytes.length;
    } catch (error) {
      this.#takeBack();
      throw cannotRecord(this.#path, systemReason(error));
    }
  }

  #takeBack(): void {
    try {
      ftruncateSync(this.#file, this.#size);
    } catch {
      // A pipe or a device: nothing to take back.
    }
  }
}

const open = (path: string): number => {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
    if (!fstatSync(file).isFile()) return file;
    if (!isOurs(file)) throw new Error('it exists and is no recording; give another name');
    fchmodSync(file, 0o600);
    ftruncateSync(file);
    return file;
  } catch (error) {
    if (file !== undefined) closeSync(file);
    throw cannotRecord(path, systemReason(error));
  }
};

/** A slip of the keyboard must not cost the user a file. */
const isOurs = (file: number): boolean => {
  const start = `{"format":"${RECORDING_FORMAT}"`;
  const found = Buffer.alloc(start.length);
  const read = readSync(file, found, 0, start.length, 0);
  return read === 0 || found.toString('utf8', 0, read) === start;
};

const cannotRecord = (path: string, reason: string): CliError =>
  new CliError(`can't record to ${harmless(path)}: ${reason}`);
