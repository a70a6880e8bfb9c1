import type { ShellWord } from './syntax.js';
import { staticValue } from './values.js';

/** What a builtin does to names in the shell it runs in. */
export interface NameEffects {
  /** It changes how names are understood, or may: none of the text's commands is what it seems. */
  readonly changesNames: boolean;
  /** Variables it sets; an `undefined` value is only known when it runs. */
  readonly sets: readonly { readonly name: string; readonly value: string | undefined }[];
}

const none: NameEffects = { changesNames: false, sets: [] };
const declaring = /^(declare|typeset|local|export|readonly)$/;
const setting = /^(read|mapfile|readarray|getopts|unset|let|declare|typeset|local|export|readonly)$/;

/** Options of `set` that change how a text goes on, and nothing of what it runs. */
export const plainSetting = /^([-+][eux]+|[-+][eux]*o|pipefail|errexit|nounset|xtrace)$/;

export const builtinEffects = (name: string, args: readonly ShellWord[]): NameEffects => {
  if (/^(alias|unalias|enable|shopt|bind|hash|complete)$/.test(name))
    return { changesNames: args.length > 0, sets: [] };
  if (name === 'set') return setEffects(args.map(staticValue));
  if (setting.test(name)) return settingEffects(name, args);
  // Of `printf` only `-v` sets anything.
  const isSetting =
    name === 'printf' && !/^[^-]/.test(args[0] === undefined ? 'x' : (staticValue(args[0]) ?? ''));
  return isSetting ? settingEffects(name, args.slice(0, 3)) : none;
};

const setEffects = (texts: readonly (string | undefined)[]): NameEffects => {
  const isPlain = texts.every((text) => text !== undefined && plainSetting.test(text));
  return {
    changesNames: !isPlain && texts.some((text) => text === undefined || /^[-+].*[akhmpBHPTo]/.test(text)),
    sets: [],
  };
};

const settingEffects = (builtin: string, args: readonly ShellWord[]): NameEffects => {
  let changesNames = false;
  const sets = args.flatMap((arg) => {
    const [first] = arg.pieces;
    const start = first?.type === 'literal' ? first.value : undefined;
    // `-n` makes a name stand for another one.
    if (start === undefined || (declaring.test(builtin) && /^-\w*n/.test(start))) changesNames = true;
    const name = /^([A-Za-z_]\w*)(?:\[|\+?=|$)/.exec(start ?? '')?.[1];
    if (name === undefined) return [];
    const value = staticValue(arg);
    return [{ name, value: value?.startsWith(`${name}=`) ? value.slice(name.length + 1) : undefined }];
  });
  return { changesNames, sets };
};
