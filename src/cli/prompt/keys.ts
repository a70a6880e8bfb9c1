import { Observable } from 'rxjs';

/** The part of a terminal's input that is used. */
export type KeyStream = Pick<NodeJS.ReadStream, 'setRawMode' | 'setEncoding' | 'resume' | 'pause'> & {
  on(event: string, listener: (text: string) => void): unknown;
  off(event: string, listener: (text: string) => void): unknown;
};

/**
 * What is typed, piece by piece and unechoed, while somebody listens; Ctrl-C is a key then and no signal.
 *
 * Completes when the terminal is gone.
 */
export const keysOf = (stream: KeyStream): Observable<string> =>
  new Observable((subscriber) => {
    const onData = (text: string): void => subscriber.next(String(text));
    const onEnd = (): void => subscriber.complete();
    stream.setEncoding('utf8');
    stream.setRawMode(true);
    stream.on('data', onData);
    stream.on('end', onEnd);
    stream.on('error', onEnd);
    stream.resume();
    return () => {
      stream.off('data', onData);
      stream.off('end', onEnd);
      stream.off('error', onEnd);
      stream.pause();
      stream.setRawMode(false);
    };
  });
