import { type Arguments, dangers, opaque } from './dangers.js';
import { gitRuns, gitSettings } from './gitRuns.js';
import { getsCode } from './scripts.js';

/** What a program runs of what it is given. */
export interface GivenRun {
  /** No rule may allow it by its beginning: what counts is what it is given. */
  readonly blocksAllow: boolean;
  /** Shell texts it runs; `undefined` for one that is only known when it runs. */
  readonly texts: readonly (string | undefined)[];
  /** Words that may be shell texts it runs, or may not. */
  readonly guesses?: readonly string[];
  /** It runs something that no shell text says: why, in a few words. */
  readonly opaque?: string;
  /** Place among the words, the name being 0, from which on a command may begin. */
  readonly tailFrom?: number;
}

const nothing: GivenRun = { blocksAllow: false, texts: [] };
const blocked: GivenRun = { blocksAllow: true, texts: [] };

const runners = new Set(
  `env sudo doas su watch ssh parallel script setsid flock chroot unshare nsenter strace ltrace gdb valgrind systemd-run
  at batch crontab xargs runuser pkexec proot fakeroot firejail bwrap ionice taskset chrt numactl setpriv capsh sg newgrp
  expect unbuffer socat nc ncat entr hyperfine perf timeout nice nohup stdbuf command builtin noglob time exec busybox toybox rlwrap
  dbus-run-session xvfb-run faketime torsocks proxychains screen tmux mosh coproc ed ex emacs gdbserver cgexec
  daemonize start-stop-daemon chronic ts sem run-parts run0 become rsh remsh telnet dd-agent eatmydata nsjail`.split(
    /\s+/,
  ),
);
const shells = /^(sh|bash|dash|zsh|ksh|mksh|ash|rbash|fish|csh|tcsh|yash|pwsh)$/;

/** Says what a command runs of its words and its standard input. `name` is without its folder. */
export const givenRun = (name: string, args: Arguments, input: string | undefined): GivenRun => {
  if (shells.test(name)) return shellRun(args, input);
  if (name === 'eval') {
    return {
      blocksAllow: true,
      texts: args.length === 0 ? [] : [joined(args[0] === '--' ? args.slice(1) : args)],
      tailFrom: 1,
    };
  }
  if (name === 'trap') return trapRun(args);
  if (name === 'source' || name === '.') return sourceRun(args);
  if (name === 'alias') return { blocksAllow: true, texts: args.map((arg) => arg?.replace(/^[^=]*=?/, '')) };
  if (name === 'command' && /^-[vV]/.test(args[0] ?? '')) return nothing;
  if ((name === 'env' || name === 'exec') && args.length === 0) return nothing;
  if (runners.has(name)) return runnerRun(name, args, input);
  if (/^(hash|enable|bind)$/.test(name) && args.length > 0)
    return { ...blocked, opaque: 'a change of what names stand for' };
  if (getsCode(name, args) === true) return codeRun(args, input);
  if (name === 'find') return findRun(args, /^-(exec|execdir|ok|okdir)$/);
  if (name === 'fd') return findRun(args, /^(-[a-zA-Z]*[xX]|--exec(-batch)?)$/);
  if (name === 'git') return gitRun(args);
  const danger = dangers.get(name);
  if (danger !== undefined && opaque.has(name) && danger(args)) {
    return { ...blocked, guesses: embedded(args), opaque: `a ${name} that may run commands of its own` };
  }
  return danger?.(args) === true ? { ...blocked, guesses: embedded(args), tailFrom: 1 } : nothing;
};

/** Programs that run the words behind them, or what they read where there are none. */
const runnerRun = (name: string, args: Arguments, input: string | undefined): GivenRun => {
  const guesses = [...spacedTexts(args), ...(input === undefined ? [] : [input])];
  const found = { blocksAllow: true, texts: [], guesses, tailFrom: 1 };
  if (/^(at|batch)$/.test(name)) return { ...found, texts: [input] };
  return /^(crontab|ed|ex|emacs|expect)$/.test(name)
    ? { ...found, opaque: `what ${name} runs, in a language of its own` }
    : found;
};

const joined = (args: Arguments): string | undefined =>
  args.every((arg) => arg !== undefined) ? args.join(' ') : undefined;

/** Words that may be a command of several words; those of one word are found as ends of the command. */
const spacedTexts = (args: Arguments): readonly string[] =>
  args.flatMap((arg) => (arg !== undefined && /[\s;&|]/.test(arg) ? [arg] : []));

/** Commands inside options and settings: `alias.x=!cmd`, `--checkpoint-action=exec=cmd`. */
const embedded = (args: Arguments): readonly string[] =>
  args.flatMap((arg) => {
    const inside = arg === undefined ? [] : arg.split(/[=!]/).slice(1);
    return [...inside.filter((each) => /\s/.test(each)), ...spacedTexts([arg])];
  });

const shellRun = (args: Arguments, input: string | undefined): GivenRun => {
  const firstOperand = args.findIndex((arg) => arg === undefined || !/^[-+]./.test(arg));
  const options = firstOperand === -1 ? args : args.slice(0, firstOperand);
  const isCode = args.some((arg) => arg !== undefined && /^-[A-Za-z]*c/.test(arg));
  if (isCode) {
    // Which word is the script depends on options with values: all that could be are looked into.
    const texts = args.filter((arg) => arg === undefined || !arg.startsWith('-'));
    const [script] = texts;
    const isUnsure =
      args.some((arg) => /^([-+][A-Za-z]*[oO]|--(rcfile|init-file))$/.test(arg ?? '')) &&
      texts.includes(undefined);
    return {
      blocksAllow: true,
      texts: isUnsure ? [script, undefined] : [script],
      guesses: spacedTexts(texts.slice(1)),
    };
  }
  if (firstOperand === -1 || options.some((arg) => /^-[A-Za-z]*s/.test(arg ?? ''))) {
    if (/^--(version|help)$/.test(args[0] ?? '')) return nothing;
    return { blocksAllow: true, texts: [input] };
  }
  const isFile = args[firstOperand] !== undefined && !/^\/dev\/|^\/proc\/|^-$/.test(args[firstOperand]);
  if (!isFile) return { blocksAllow: true, texts: [args[firstOperand] === undefined ? undefined : input] };
  return options.every((arg) => /^[-+]([euxvnl]+|-norc|-noprofile)$/.test(arg ?? '')) ? nothing : blocked;
};

// Code that starts no program and opens no file is as good or bad as a script of it; a person looks at the rest.
const starts =
  /system|exec|spawn|popen|subprocess|child_process|pty|fork|shell|`|%x|qx|eval|import\(|__import__|require\(|open|read|write|load|file|path|input|fs\b/i;

const codeRun = (args: Arguments, input: string | undefined): GivenRun => {
  const texts = [...args, ...(input === undefined ? [] : [input])];
  // Then it is read from the standard input.
  const isUnseen = input === undefined && args.every((arg) => arg?.startsWith('-'));
  const isOpen = isUnseen || texts.some((text) => text === undefined || starts.test(text));
  return isOpen ? { ...blocked, opaque: 'code that may run commands' } : blocked;
};

const gitRun = (args: Arguments): GivenRun => {
  const settings = gitSettings(args);
  const found = { ...blocked, guesses: embedded(args), tailFrom: 1 };
  if (settings === 'opaque' || gitRuns(args))
    return { ...found, opaque: 'a git that may run commands of its own' };
  return settings === 'unsure' ? found : nothing;
};

const findRun = (args: Arguments, running: RegExp): GivenRun => {
  const at = args.findIndex((arg) => arg !== undefined && running.test(arg));
  if (at !== -1) return { ...blocked, guesses: spacedTexts(args), tailFrom: at + 2 };
  return args.some((arg) => arg === undefined || /^(-(delete|fprint|fprintf|fprint0|fls)$|--exec)/.test(arg))
    ? blocked
    : nothing;
};

const trapRun = (args: Arguments): GivenRun => {
  const [first] = args;
  if (args.length === 0 || first === '-' || first === '' || /^-[lp]/.test(first ?? '-p')) {
    return first === undefined && args.length > 0 ? { blocksAllow: true, texts: [undefined] } : nothing;
  }
  return { blocksAllow: true, texts: [first === '--' ? args[1] : first] };
};

const sourceRun = ([file]: Arguments): GivenRun =>
  file === undefined || /^\/(dev|proc)\//.test(file) ? { blocksAllow: true, texts: [undefined] } : nothing;
