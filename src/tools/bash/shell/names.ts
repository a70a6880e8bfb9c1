const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Variables that change what a program shows or how much it says, and never what it runs or reads. */
const safeNames = words(`
  NODE_ENV CI DEBUG VERBOSE LOG_LEVEL TZ LANG LANGUAGE TERM COLUMNS LINES NO_COLOR FORCE_COLOR CLICOLOR
  CLICOLOR_FORCE COLORTERM RUST_LOG RUST_BACKTRACE GOOS GOARCH CGO_ENABLED PORT HOST APP_ENV RAILS_ENV RACK_ENV
  DJANGO_DEBUG FLASK_DEBUG PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE PYTHONHASHSEED NODE_NO_WARNINGS TS_NODE_PRETTY
  UV_THREADPOOL_SIZE DEBIAN_FRONTEND HUSKY SKIP ASAN_OPTIONS UPDATE_SNAPSHOTS`);

/** Whether an assignment before a command, or exported to it, can't change what is run. */
export const isSafeName = (name: string): boolean => safeNames.has(name) || /^LC_[A-Z]+$/.test(name);

const obeyed = new RegExp(
  [
    'PATH|^LD_|^DYLD_|^IFS$|ENV$|ENV_|PROMPT|^PS\\d|SHELL|^BASH|^GIT_|^NODE|^PYTHON|^PERL|^RUBY|JAVA|^JDK|^MAVEN',
    '^GRADLE|OPTS?$|OPTIONS$|FLAGS|EDITOR|VISUAL|PAGER|LESS|COMMAND|^SSH|^DOCKER|^NPM_|^npm_|CARGO|^RUST|^GO|^CC$',
    '^CXX$|^HOME$|^PWD$|^OLDPWD$|TMP|PROXY$|_proxy$|BROWSER|^LOC|^TERM|^TEXTDOMAIN|GLOB|^TAR|RSYNC|^GPG|^EXINIT|VIM',
    '^MAKE|^ZDOTDIR|^XDG_|^AWS|^KUBE|CONFIG|^SUDO|^MAN|^HIST|ASKPASS|PRELOAD|^POSIX',
  ].join('|'),
);

/** Whether the shell, or a program below it, may obey a variable of this name. */
export const isObeyedName = (name: string): boolean => !isSafeName(name) && obeyed.test(name);

/**
 * What may run through a variable of this name: `text`, its value is a command; `unknown`, a file it names, or what
 * others make of it.
 */
export const runsThroughName = (name: string): 'nothing' | 'text' | 'unknown' => {
  if (/^(BASH_ENV|ENV|BASH_FUNC|GIT_CONFIG|SHELLOPTS|BASHOPTS|LD_|DYLD_)/.test(name)) return 'unknown';
  return /^(PS[0-4]|LESSOPEN|LESSCLOSE|VISUAL|GIT_(SSH|ASKPASS|PROXY|EXTERNAL)\w*|\w*(PAGER|EDITOR|COMMAND))$/.test(
    name,
  )
    ? 'text'
    : 'nothing';
};

/** Programs and builtins that never run one of their words as a command. */
const plainPrograms = words(`
  : [ alias ar arch basename bat bc bg break bzip2 cal cat cc cd chgrp chmod chown cksum clang clear cmake cmp column comm continue
  cp csplit curl cut date dd declare df diff dig dirname dirs disown dot du echo egrep exit expand export expr false
  fd fg fgrep file fmt fold free g++ gcc getconf getent grep groups gunzip gzip head hexdump host hostname iconv id install
  join jobs jq kill killall less let link ln local locale logname ls lsof md5sum mkdir mkfifo mktemp more mv nl
  nproc numfmt od paste patch pathchk pgrep ping pkill popd pr printenv printf prettier ps pushd pwd read readlink readonly
  realpath return rev rg rm rmdir rsync scp seq set sha1sum sha256sum sha512sum shift shred shuf shopt sleep sort split
  stat strings stty sum sync tac tail tar tee test touch tput tr tree true truncate tsort tty type typeset umask
  unalias uname unexpand uniq unlink unset unzip uptime users vdir vim vi nvim nano wait wc wget whereis which who whoami xxd yq zcat
  zip eslint tsc vitest jest biome mypy ruff black flake8 pylint gofmt rustfmt rustc javac shellcheck
  sed awk gawk mawk nawk python python3 node perl ruby php`);

export const isPlainProgram = (name: string): boolean => plainPrograms.has(name);

/** Programs whose first words say what they do, with those of these words behind which a command follows. */
const subcommandPrograms: ReadonlyMap<string, RegExp> = new Map([
  ['git', /^(bisect|submodule|rebase|filter-branch|difftool|mergetool|for-each-repo)$/],
  ['npm', /^(exec|x|explore)$/],
  ['pnpm', /^(exec|dlx|x)$/],
  ['yarn', /^(exec|dlx|node)$/],
  ['bun', /^(x|exec)$/],
  ['docker', /^(run|exec|compose|container)$/],
  ['podman', /^(run|exec|compose|container)$/],
  ['kubectl', /^(exec|run|debug)$/],
  ['poetry', /^run$/],
  ['uv', /^(run|tool)$/],
  ['pipenv', /^run$/],
  ['bundle', /^exec$/],
  ['cargo', /^(watch|x)$/],
  ['go', /^tool$/],
  ['nix', /^(run|shell|develop)$/],
  ['conda', /^run$/],
  ['direnv', /^exec$/],
  ['dotnet', /^exec$/],
  ...[
    'gh',
    'glab',
    'aws',
    'gcloud',
    'az',
    'terraform',
    'helm',
    'systemctl',
    'service',
    'apt',
    'apt-get',
    'brew',
  ].map((name) => [name, /^(?!)/] as const),
  ...['pip', 'pip3', 'composer', 'mvn', 'gradle', 'rustup', 'hg', 'svn', 'jj', 'deno'].map(
    (name) => [name, /^(?!)/] as const,
  ),
]);

/** Which subcommands of a program run what follows them; `undefined` for programs without subcommands. */
export const runningSubcommands = (name: string): RegExp | undefined => subcommandPrograms.get(name);
