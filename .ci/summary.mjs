// Prints what a Vitest JSON report says, as one line: `N passed, N failed`.
import { readFileSync } from 'node:fs';

const { numPassedTests, testResults } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const failedTests = testResults.flatMap(({ assertionResults }) =>
  assertionResults.filter(({ status }) => status === 'failed'),
);
// A file that can't be loaded fails without a test of its own having failed; it counts as one.
const failedFiles = testResults.filter(
  ({ status, assertionResults }) =>
    status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
);
const failed = failedTests.length + failedFiles.length;
console.log(`${numPassedTests} passed, ${failed} failed`);
process.exitCode = failed === 0 && numPassedTests > 0 ? 0 : 1;
