import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { harmless } from '../../src/permissions/index.js';

describe('a text for a person', () => {
  it('that holds nothing odd stays as it is', () => {
    for (const text of ['', 'git commit -m "a\tb"\n\n    done', 'Grüße, 世界 🎉', 'a ⟨b⟩ `c` $(d)']) {
      expect(harmless(text)).toBe(text);
    }
  });

  it.each([
    ['\u001b[2J\u001b]0;title\u0007', '␛[2J␛]0;title␇'],
    ['a\rb\bc\u0000\u007f', 'a␍b␈c␀␡'],
    ['\u009b31m', '⟨U+009B⟩31m'],
    ['safe\u202egpj.exe', 'safe⟨U+202E⟩gpj.exe'],
    ['a\u2066b\u2069', 'a⟨U+2066⟩b⟨U+2069⟩'],
    ['r\u200bm\u00ad\ufeff', 'r⟨U+200B⟩m⟨U+00AD⟩⟨U+FEFF⟩'],
    ['a\u{e0041}b', 'a⟨U+E0041⟩b'],
    ['a\ufe0fb\u{e0100}', 'a⟨U+FE0F⟩b⟨U+E0100⟩'],
    ['a\u3164b\u2800', 'a⟨U+3164⟩b⟨U+2800⟩'],
    ['a\u00a0b\u2028c', 'a⟨U+00A0⟩b⟨U+2028⟩c'],
    ['a\ud800b', 'a⟨U+D800⟩b'],
    ['\u200b'.repeat(500), '⟨U+200B⟩⟨499 more⟩'],
  ])('shows what is invisible: %j', (text, shown) => {
    expect(harmless(text)).toBe(shown);
  });

  it('folds padding, with its count', () => {
    expect(harmless(`ls${' '.repeat(500)}; rm x`)).toBe('ls ⟨500 blanks⟩ ; rm x');
    expect(harmless(`ls${'\n'.repeat(60)}rm x`)).toBe('ls\n⟨60 line breaks⟩\nrm x');
    expect(harmless(`ls${' \n'.repeat(60)}rm x`)).toBe('ls\n⟨60 blanks, 60 line breaks⟩\nrm x');
  });

  it('folds the middle of a long text, with its count, and splits no character', () => {
    expect(harmless('x'.repeat(1_000), { maxChars: 200 })).toBe(
      `${'x'.repeat(100)}\n⟨800 characters not shown⟩\n${'x'.repeat(100)}`,
    );
    expect(harmless('🎉'.repeat(501), { maxChars: 202 }).isWellFormed()).toBe(true);
    expect(harmless(`${'a'.repeat(9_000)}; rm x`)).toContain('; rm x');
  });

  it('is short, and without anything that moves the cursor, whatever came in', () => {
    const characters = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\u001b[', '\u202e', '\u200b', ' ', '\n', '\r', '\u{e0020}', '\ud800'),
    );
    fc.assert(
      fc.property(fc.array(characters, { maxLength: 400 }), (parts) => {
        const shown = harmless(parts.join(''), { maxChars: 300 });
        expect(shown.length).toBeLessThan(350);
        expect(shown.isWellFormed()).toBe(true);
        expect(shown).not.toMatch(/(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}]/u);
      }),
    );
  });

  it('costs linear time', () => {
    for (const unit of [' ', '\u200b', '\u200b\u200c', ' \n', 'a']) {
      expect(harmless(unit.repeat(200_000)).length).toBeLessThan(5_000);
    }
  });
});
