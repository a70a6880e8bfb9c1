import { type Expected, judge } from '../judge.js';
import { denied } from './denied.js';
import { allowedFiles, askedFiles, deniedFiles } from './files.js';
import { allowedNarrow, askedNarrow } from './narrow.js';
import { plain } from './plain.js';
import { type RuleSetName, ruleSets } from './ruleSets.js';
import { unclear } from './unclear.js';

/** Commands that are to be decided alike under one set of rules. */
export interface Chapter {
  readonly name: string;
  readonly rules: RuleSetName;
  readonly expected: Expected;
  readonly commands: readonly string[];
}

export const chapters: readonly Chapter[] = [
  { name: 'plain', rules: 'everyday', expected: 'allow', commands: plain },
  { name: 'near misses', rules: 'everything', expected: 'allow', commands: allowedFiles },
  { name: 'few rules, covered', rules: 'narrow', expected: 'allow', commands: allowedNarrow },
  { name: 'disguised', rules: 'everything', expected: 'deny', commands: denied },
  { name: 'disguised, unclear', rules: 'everything', expected: 'ask', commands: unclear },
  { name: 'forbidden files', rules: 'everything', expected: 'deny', commands: deniedFiles },
  { name: 'files, unclear', rules: 'everything', expected: 'ask', commands: askedFiles },
  { name: 'few rules, not covered', rules: 'narrow', expected: 'ask', commands: askedNarrow },
];

export interface Judged {
  readonly chapter: Chapter;
  readonly command: string;
  readonly decision: Expected;
}

export const judgeCorpus = (): readonly Judged[] =>
  chapters.flatMap((chapter) => {
    const decide = judge(ruleSets[chapter.rules]);
    return chapter.commands.map((command) => ({ chapter, command, decision: decide(command) }));
  });

/** Allowed though a rule forbids it, or though none allows it. */
export const isBypass = ({ chapter, decision }: Judged): boolean =>
  decision === 'allow' && chapter.expected !== 'allow';

/** Asked or denied though everything in it is allowed. */
export const isNeedless = ({ chapter, decision }: Judged): boolean =>
  decision !== 'allow' && chapter.expected === 'allow';
