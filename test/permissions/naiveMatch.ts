/**
 * Independent matchers to compare with: written from the syntax's description, by trying everything, slow and short.
 * They share nothing with the ones they test.
 */

/** `*` is any text; the rest is itself. */
export const naiveText = (pattern: string, text: string): boolean => {
  if (pattern === '') return text === '';
  if (pattern[0] === '*') {
    return naiveText(pattern.slice(1), text) || (text !== '' && naiveText(pattern, text.slice(1)));
  }
  return text[0] === pattern[0] && naiveText(pattern.slice(1), text.slice(1));
};

/** The content of `Bash(…)`. */
export const naiveCommand = (content: string, text: string): boolean => {
  const pattern = content.replace(/:\*$/, ' *');
  return naiveText(pattern, text) || (pattern.endsWith(' *') && naiveText(pattern.slice(0, -2), text));
};

const naivePath = (pattern: readonly string[], path: readonly string[]): boolean => {
  const [head, ...rest] = pattern;
  if (head === undefined) return path.length === 0;
  if (head === '**') return naivePath(rest, path) || (path.length > 0 && naivePath(pattern, path.slice(1)));
  return path.length > 0 && naiveText(head, path[0] as string) && naivePath(rest, path.slice(1));
};

const segments = (path: string): string[] => path.split('/').filter((segment) => segment !== '');

/** The content of `Read(…)`, with `/p` as cwd, `/h` as home and `/b` as base. */
export const naivePathRule = (content: string, kind: 'allow' | 'deny', path: string): boolean => {
  const anchors = [
    ['//', ''],
    ['~/', '/h'],
    ['/', '/b'],
    ['./', '/p'],
  ] as const;
  const anchor = anchors.find(([start]) => content.startsWith(start));
  const own = segments(anchor === undefined ? content : content.slice(anchor[0].length));
  const floats = anchor === undefined && (kind === 'deny' || own.length === 1);
  const pattern = [...segments(anchor?.[1] ?? '/p'), ...(floats ? ['**'] : []), ...own];
  const last = own[own.length - 1] ?? '*';
  const below = kind === 'deny' || !last.includes('*');
  return naivePath(below ? [...pattern, '**'] : pattern, segments(path));
};
