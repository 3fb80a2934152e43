import { existsSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import type { AggregatedResult } from '@jest/reporters';
import { joined, type Outcome, outcomesOf, summaryOf } from './outcomes.js';

const STANDARD_OUTPUT = 1;

/** Where the outcomes are kept from one run to the next, so that they add up; unset where a run stands alone. */
const KEPT = process.env.TACET_TEST_OUTCOMES;

/** What a run tries its tests on, where that is not what comes with Tacet. */
const PLACE = process.env.TACET_TEST_PLACE || undefined;

/** Closes a run with `N passed, N failed, N skipped`, a line that any continuous integration reads. */
export default class PlainSummary {
  onRunComplete(_contexts: unknown, results: AggregatedResult): void {
    const earlier: [string, Outcome][] =
      KEPT && existsSync(KEPT) ? JSON.parse(readFileSync(KEPT, 'utf8')) : [];
    const outcomes = joined(new Map(earlier), outcomesOf(results.testResults), PLACE);
    if (KEPT) writeFileSync(KEPT, JSON.stringify([...outcomes]));
    const line = `${summaryOf(outcomes)}\n`;
    if (KEPT) writeFileSync(`${KEPT}.summary`, line);
    // Jest's own summary comes after all reporters; this line stands last.
    process.once('exit', () => writeSync(STANDARD_OUTPUT, line));
  }
}
