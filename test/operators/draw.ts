import { parseDiagram } from '../../marbles/testing/diagrams/parseDiagram.js';
import { type BuildDiagram, runDiagram } from '../../marbles/testing/diagrams/runDiagram.js';

/** Runs what is drawn; for rows that the entry in `diagrams.ts` does not know, with a build of the test's own. */
export const draw = (
  build: BuildDiagram | undefined,
  text: string,
  options: Readonly<Record<string, string>> = {},
): void => {
  if (build === undefined) throw new Error('there is no entry for this operator');
  runDiagram(parseDiagram(text, options), build);
};
