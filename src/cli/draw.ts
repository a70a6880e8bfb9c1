import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { harmless } from '../../marbles/draw/harmless.js';
import { drawRows } from '../../marbles/draw/rows.js';
import { RecordingError, readRecording } from '../../marbles/record/readRecording.js';
import type { Recording } from '../../marbles/record/recording.js';
import { CliError, systemReason } from './cliError.js';
import { addDrawingOptions, type DrawingOptions, drawingOf } from './runOptions.js';
import type { Terminal } from './terminal.js';

/** `millrace draw`: draws a recording as rows. */
export const addDraw = (program: Command, terminal: Terminal): void => {
  const command = program
    .command('draw')
    .description('draw a recording of `run --record` as rows, one a call')
    .argument('<recording>', 'a file that --record wrote');
  addDrawingOptions(command).action((path: string, options: DrawingOptions) => {
    const { header, events, cut } = read(path);
    const { run, limit } = header;
    const known = { ...(run === undefined ? {} : { run }), ...(limit === undefined ? {} : { limit }) };
    terminal.line(drawRows(events, { ...known, ...drawingOf(options, terminal) }));
    if (cut) terminal.problem('millrace: the last line of the recording is unfinished and was left out');
  });
};

const read = (path: string): Recording => {
  try {
    return readRecording(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error instanceof RecordingError) {
      throw new CliError(`${harmless(path)}, line ${error.line}: ${error.reason}`);
    }
    throw new CliError(`${harmless(path)}: ${systemReason(error)}`);
  }
};
