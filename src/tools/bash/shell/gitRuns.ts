/** Words of a git command; `undefined` for what is only known when it runs. */
type Arguments = readonly (string | undefined)[];

const some = (args: Arguments, pattern: RegExp): boolean =>
  args.some((arg) => arg !== undefined && pattern.test(arg));

/** Settings that only change how things look, and who commits. */
const harmless =
  /^(color\.[\w.]+|user\.(name|email)|core\.(quotepath|autocrlf|abbrev)|advice\.\w+|init\.defaultbranch|commit\.gpgsign|log\.\w+)(=|$)/i;

/** Keys behind which git runs, or reads, what they say: aliases, pagers, hooks, helpers, included files. */
const running =
  /^(alias|pager|include(if)?|filter|difftool|mergetool|browser|man|instaweb|sequence|core\.(pager|editor|sshcommand|hookspath|fsmonitor|gitproxy|askpass|attributesfile|worktree)|[\w.-]+\.(cmd|command|driver|textconv|external|helper|program|path|uploadpack|receivepack|proxy|editor|pager))\b/i;

/** What settings a git command brings along or makes: `opaque` where they may run something of their own. */
export const gitSettings = (args: Arguments): 'none' | 'unsure' | 'opaque' => {
  const keys = args.flatMap((arg, index) => {
    if (args[index - 1] === '-c' || args[index - 1] === '--config') return [arg];
    const joined =
      arg === undefined ? null : /^(?:-c(?=\w)|--(?:config-env|config|exec-path)=)(.*)$/s.exec(arg);
    return joined === null ? [] : [joined[1]];
  });
  const isConfig = args.includes('config') && !some(args, /^--(get|list|unset|remove)|^-l$/);
  const made = isConfig ? args.filter((arg) => arg === undefined || /^[\w-]+\.[\w.-]+$/.test(arg)) : [];
  const all = [...keys, ...made];
  if (all.some((key) => key === undefined || running.test(key)) || some(args, /^--exec-path=/))
    return 'opaque';
  return all.every((key) => key !== undefined && harmless.test(key)) ? 'none' : 'unsure';
};

/** Whether its words name programs that git runs, or transports that do. Long options may be abbreviated. */
export const gitRuns = (args: Arguments): boolean => {
  if (some(args, /^--(u$|up$|upl|rece|exe|ex$|ext|op|e$)|^ext::|^-x|^!|^-O./)) return true;
  if (some(args, /^(filter-branch|foreach|for-each-repo)$/)) return true;
  return args.includes('bisect') && args.includes('run');
};
