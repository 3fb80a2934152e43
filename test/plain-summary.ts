import type { AggregatedResult } from '@jest/reporters';

/** Closes a run with `N passed, N failed, N skipped`, a line that any continuous integration reads. */
export default class PlainSummary {
  onRunComplete(_contexts: unknown, results: AggregatedResult): void {
    const broken = results.testResults.filter((file) => file.testExecError !== undefined).length;
    const failed = results.numFailedTests + broken;
    const skipped = results.numPendingTests + results.numTodoTests;
    process.stderr.write(
      `${results.numPassedTests} passed, ${failed} failed, ${skipped} skipped\n`,
    );
  }
}
