import { readFileSync } from 'node:fs';
import { harmless } from '../../../marbles/draw/harmless.js';
import { CliError, systemReason } from '../cliError.js';
import { parseReply, type Reply } from './parseReply.js';

/**
 * Reads the file of a recorded reply.
 *
 * @throws CliError for a file that is missing, can't be read or is no reply.
 */
export const readReply = (path: string): Reply => {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new CliError(`${harmless(path)}: ${systemReason(error)}`);
  }
  return parseReply(text, path);
};
