import { Observable, Subscription } from 'rxjs';
import type { CanUseTool, PermissionAnswer, PermissionRequest } from '../../contract/index.js';
import { OpenPrompt } from './openPrompt.js';
import { type QuestionOptions, questionLines } from './question.js';

/** Where a person is asked. */
export interface PromptScreen {
  /** Makes room: nothing else is written until it is closed. */
  open(): void;
  close(): void;
  write(text: string): void;
  /** Read for each question: a terminal changes its width. */
  readonly options: QuestionOptions;
}

/** Milliseconds after a question appears in which keys count for nothing: they were meant for something else. */
const DEAD_MS = 200;

/**
 * Asks a person in the terminal, for `canUseTool`.
 *
 * @param keys$ what is typed, while somebody listens; its end is a denial
 * @param interrupt Ctrl-C was typed
 * @param now milliseconds that never go back
 */
export const terminalPrompt =
  (
    keys$: Observable<string>,
    screen: PromptScreen,
    interrupt: () => void,
    now: () => number = () => performance.now(),
  ): CanUseTool =>
  (request) =>
    new Observable<PermissionAnswer>((subscriber) => {
      const keys = new Subscription();
      let isOpen = true;
      const close = (): void => {
        if (!isOpen) return;
        isOpen = false;
        keys.unsubscribe();
        screen.close();
      };
      const answer = (given: PermissionAnswer): void => {
        close();
        subscriber.next(given);
        subscriber.complete();
      };
      screen.open();
      const prompt = ask(request, screen, answer, () => {
        close();
        interrupt();
        // Where nothing stops it, it is denied all the same.
        answer({ behavior: 'deny', message: 'The user stopped the run.' });
      });
      const shownAt = now();
      const listening = keys$.subscribe({
        next: (text) => {
          if (now() - shownAt >= DEAD_MS || text.includes('\x03')) prompt.keys(text);
        },
        complete: () => {
          screen.write('\n');
          answer({ behavior: 'deny', message: 'The terminal was closed before anybody had answered.' });
        },
      });
      keys.add(listening);
      return () => {
        if (isOpen) screen.write('not wanted any more\n');
        close();
      };
    });

const ask = (
  request: PermissionRequest,
  screen: PromptScreen,
  answer: (given: PermissionAnswer) => void,
  interrupt: () => void,
): OpenPrompt => {
  screen.write(`${questionLines(request, screen.options).join('\n')}\n`);
  return new OpenPrompt(request.suggestions, {
    write: (text) => screen.write(text),
    get columns() {
      return screen.options.width;
    },
    answer,
    interrupt,
  });
};
