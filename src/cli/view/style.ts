/** What a piece of text is, for those who see colours. */
export type Tone = 'plain' | 'quiet' | 'good' | 'bad' | 'warning';

/** Gives text the colour of its tone, or leaves it. */
export type Style = (text: string, tone: Tone) => string;

const codes: Readonly<Record<Exclude<Tone, 'plain'>, readonly [on: number, off: number]>> = {
  quiet: [2, 22],
  good: [32, 39],
  bad: [31, 39],
  warning: [33, 39],
};

export const styleOf =
  (colours: boolean): Style =>
  (text, tone) => {
    if (!colours || tone === 'plain' || text === '') return text;
    const [on, off] = codes[tone];
    return `\x1b[${on}m${text}\x1b[${off}m`;
  };

/** Whether colours are wanted: on a terminal that has them, unless somebody says no. */
export const wantsColours = (asked: boolean, isTerminal: boolean, env: NodeJS.ProcessEnv): boolean =>
  asked && isTerminal && !env.NO_COLOR && env.TERM !== 'dumb';
