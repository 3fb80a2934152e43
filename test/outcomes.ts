/** What became of every test, over one run or several. */
import type { AggregatedResult } from '@jest/reporters';

export type Outcome = 'passed' | 'failed' | 'skipped';
/** By test file and full title. */
export type Outcomes = ReadonlyMap<string, Outcome>;

type FileResults = Pick<
  AggregatedResult['testResults'][number],
  'testFilePath' | 'testExecError'
> & {
  readonly testResults: readonly { readonly fullName: string; readonly status: string }[];
};

/** A file that could not be run counts as one failed test; tests of one title count one by one. */
export function outcomesOf(files: readonly FileResults[]): Outcomes {
  const outcomes = new Map<string, Outcome>();
  for (const { testFilePath, testExecError, testResults } of files) {
    if (testExecError !== undefined) outcomes.set(testFilePath, 'failed');
    for (const { fullName, status } of testResults) {
      let name = `${testFilePath} ${fullName}`;
      while (outcomes.has(name)) name += ' again';
      outcomes.set(name, status === 'passed' || status === 'failed' ? status : 'skipped');
    }
  }
  return outcomes;
}

/**
 * A test that ran in both counts once, as failed if it failed in either; one skipped in either counts by the other.
 * Where the later run was on other servers, named by `place`, a test that ran in both counts once for each.
 */
export function joined(earlier: Outcomes, later: Outcomes, place?: string): Outcomes {
  const outcomes = new Map(earlier);
  for (const [name, outcome] of later) {
    const before = outcomes.get(name);
    if (before === undefined || before === 'skipped') outcomes.set(name, outcome);
    else if (outcome !== 'skipped' && place !== undefined)
      outcomes.set(`${name}, on ${place}`, outcome);
    else if (outcome === 'failed') outcomes.set(name, outcome);
  }
  return outcomes;
}

/** `N passed, N failed, N skipped`. */
export function summaryOf(outcomes: Outcomes): string {
  const count = (wanted: Outcome) =>
    [...outcomes.values()].filter((outcome) => outcome === wanted).length;
  return `${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`;
}
