const pad = (value: number): string => String(value).padStart(2, '0');

/** A measured time, three figures or so: `140ms`, `1.40s`, `2m05s`, `3h20m`. */
export const duration = (ms: number): string => {
  if (ms > 0 && ms < 9.95) return `${trimmed(ms.toFixed(1))}ms`;
  if (ms < 999.5) return `${Math.round(ms)}ms`;
  if (ms < 59_995) return `${(ms / 1000).toFixed(2)}s`;
  const seconds = Math.round(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m${pad(seconds % 60)}s`;
  return `${Math.floor(minutes / 60)}h${pad(minutes % 60)}m`;
};

/** A time that someone chose, without what is nothing: `500ms`, `1s`, `1.5s`, `10m`, `1h30m`. */
export const roundDuration = (ms: number): string =>
  ms >= 59_995
    ? duration(ms).replace(/(?<=\D)00[ms]$/, '')
    : duration(ms).replace(/\d+\.\d+/, (number) => trimmed(number));

/**
 * An instant on an axis, exact to the millisecond and without what is nothing: `200ms`, `1.5s`, `1h0.02s`.
 */
export const tick = (ms: number): string => {
  if (ms < 1000) return `${ms}ms`;
  const minutes = Math.floor(ms / 60_000);
  const seconds = (ms % 60_000) / 1000;
  const hours = Math.floor(minutes / 60);
  const parts = [
    { value: hours, unit: 'h' },
    { value: minutes % 60, unit: 'm' },
    { value: seconds, unit: 's' },
  ];
  return parts.map(({ value, unit }) => (value === 0 ? '' : `${value}${unit}`)).join('');
};

/** An instant of the turn: `1.750s`. */
export const instant = (ms: number): string => `${(ms / 1000).toFixed(3)}s`;

const trimmed = (number: string): string => number.replace(/\.?0+$/, '');
