import { writeSync } from 'node:fs';
import type { AggregatedResult } from '@jest/reporters';

const STANDARD_OUTPUT = 1;

/** Closes a run with `N passed, N failed, N skipped`, a line that any continuous integration reads. */
export default class PlainSummary {
  onRunComplete(_contexts: unknown, results: AggregatedResult): void {
    const broken = results.testResults.filter((file) => file.testExecError !== undefined).length;
    const failed = results.numFailedTests + broken;
    const skipped = results.numPendingTests + results.numTodoTests;
    const line = `${results.numPassedTests} passed, ${failed} failed, ${skipped} skipped\n`;
    // Jest's own summary comes after all reporters; this line stands last.
    process.once('exit', () => writeSync(STANDARD_OUTPUT, line));
  }
}
