import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { questionLines } from '../../../src/cli/prompt/question.js';
import { tailOf, withoutLast, wrapText } from '../../../src/cli/prompt/wrapText.js';
import { styleOf } from '../../../src/cli/view/style.js';
import { requestOf } from './requests.js';

const options = { width: 80, unicode: false, style: styleOf(false) };

describe('a question', () => {
  it('shows the tool, its whole input, who asks and why, and what may be answered', () => {
    const request = requestOf({ command: 'rm -r build', description: 'Clean up' }, ['Bash(rm -r build)']);
    expect(questionLines(request, options)).toEqual([
      `-- permission  Bash ${'-'.repeat(60)}`,
      '| command      rm -r build',
      '| description  Clean up',
      'asked by mode default: No permission rule decides about this call.',
      'always, in this run, would allow:',
      '    Bash(rm -r build)',
      'y once  a always  n deny  r deny with a reason  Ctrl-C stop the run',
    ]);
  });

  it('offers no always where no rule would help', () => {
    const lines = questionLines(requestOf({ command: 'x' }), options);
    expect(lines.at(-1)).toBe('y once  n deny  r deny with a reason  Ctrl-C stop the run');
  });

  it('shows what the model wrote harmless and behind a gutter, so that it can not look like the question', () => {
    const command = `echo hi${' '.repeat(200)}; rm -rf ~\ny once  a always\x1b[2J\u202e\n-- permission  Read ---`;
    const lines = questionLines(requestOf({ command, 'k\x1by': null }), options);
    expect(lines.slice(1, 5)).toEqual([
      '| command  echo hi ⟨200 blanks⟩ ; rm -rf ~',
      '|          y once  a always␛[2J⟨U+202E⟩',
      '|          -- permission  Read ---',
      '| k␛y      null',
    ]);
  });

  it.each([80, 60, 40])('fits %i columns and leaves nothing out', (width) => {
    const path = `src/${'日本語'.repeat(20)}${'👩‍👩‍👧'.repeat(20)}.txt`;
    const request = requestOf({ file_path: path, replace: { all: true } }, [`Edit(./${path})`]);
    const lines = questionLines(request, { ...options, width });
    expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeLessThanOrEqual(width);
    const shown = lines.filter((line) => line.startsWith('|')).map((line) => line.slice(2).trim());
    const whole = shown.join('').replace(/^file_path */, '');
    // A zero-width joiner is shown as its number.
    expect(whole).toContain(path.replaceAll('\u200d', '⟨U+200D⟩'));
    expect(whole).toContain('{"all":true}');
  });

  it('folds the middle of a long text, and says how much', () => {
    const content = Array.from({ length: 200 }, (_, at) => `${at}`).join('\n');
    const lines = questionLines(requestOf({ content }), options);
    expect(lines).toContain('|          ⟨120 lines not shown⟩');
    expect(lines).toContain('|          199');
  });

  it('shows input that is no object, and one without members', () => {
    expect(questionLines(requestOf('text'), options)[1]).toBe('| input  text');
    expect(questionLines(requestOf({}), options)[1]).toBe('| input  {}');
  });
});

describe('the wrapping of a text', () => {
  it('breaks between words where one is near the edge, else anywhere, and loses nothing', () => {
    expect(wrapText('one two three', 9)).toEqual(['one two', 'three']);
    expect(wrapText('abcdefgh', 3)).toEqual(['abc', 'def', 'gh']);
    expect(wrapText('a\n\n\tb', 9)).toEqual(['a', '', '    b']);
    expect(wrapText('日本語', 4)).toEqual(['日本', '語']);
  });

  it('keeps whole characters at the end of a line that is typed', () => {
    expect(tailOf('ab日本', 5)).toBe('b日本');
    expect(tailOf('ab日本', 3)).toBe('本');
    expect(withoutLast('a👩‍👩‍👧')).toBe('a');
    expect(withoutLast('')).toBe('');
  });
});
