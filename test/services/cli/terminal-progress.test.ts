import { describe, expect, test } from '@jest/globals';
import type { ProgressEvent } from '../../../platform/progress.js';
import { TerminalProgress } from '../../../services/cli/terminal-progress.js';

const COLUMNS = 80;
const STEP = 'pretraining, epoch 12 of 60';
const LOSSES = 'l_deid 0.1234  l_adv 0.6931  l_rep 0.2345  l_certified 0.3456';
const running: ProgressEvent = {
  ...{ step: STEP, done: 20_000, total: 123_456, unit: 'tokens', note: LOSSES },
  willFinish: true,
};
const FINISHED = [STEP, ...LOSSES.split('  '), 'validation 0.5252, best', '≤ 41 s left'];

/** What is written to a stream while `report` is called with these events. */
function written(isTTY: boolean, ...events: readonly ProgressEvent[]): string {
  let text = '';
  const write = (piece: string) => {
    text += piece;
    return true;
  };
  const stream = { isTTY, columns: isTTY ? COLUMNS : undefined, write };
  const progress = new TerminalProgress(stream as unknown as NodeJS.WriteStream);
  for (const event of events) progress.report(event);
  return text;
}

/** The lines that were on a terminal at one time or another. */
const linesOn = (text: string) =>
  text
    .replaceAll('\r\x1b[2K', '\n')
    .split('\n')
    .filter((line) => line !== '');

describe('progress on a terminal', () => {
  test('fits into its columns, and keeps step and losses rather than the bar', () => {
    const lines = linesOn(written(true, running));
    expect(lines).toHaveLength(1);
    expect(lines[0].length).toBeLessThan(COLUMNS);
    expect(lines[0]).toMatch(STEP);
    const short = { ...running, note: 'l_deid 0.1234' };
    const [line] = linesOn(written(true, short));
    expect(line).toMatch(/\[=+ +\].*l_deid 0\.1234$/);
    expect(line.length).toBeLessThan(COLUMNS);
  });

  test('leaves a line of what has finished, whole, on as many rows as it needs', () => {
    const text = written(true, running, { ...running, finished: FINISHED });
    const rows = text
      .slice(text.lastIndexOf('\x1b[2K') + 4)
      .trimEnd()
      .split('\n');
    expect(rows.length).toBeGreaterThan(1);
    for (const row of rows) expect(row.length).toBeLessThan(COLUMNS);
    expect(rows.map((row) => row.trim()).join('  ')).toBe(FINISHED.join('  '));
  });
});

describe('progress elsewhere', () => {
  test('is one line of what has finished, and nothing of what will finish soon', () => {
    const text = written(false, running, { ...running, finished: FINISHED });
    expect(text).toBe(`${FINISHED.join('  ')}\n`);
  });

  test('is a line of what will not end in one', () => {
    const text = written(false, { step: 'neighbours', done: 0, total: 10 });
    expect(text).toMatch(/^neighbours {2}\[ +\]\n$/);
  });
});
