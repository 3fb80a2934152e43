import { expect, test } from '@jest/globals';
import { keptLines } from '../../../services/cli/kept-lines.js';
import { SAMPLE_BOUNDS } from '../institution/release/job/sample-report.js';

const KEPT = { keptTypes: ['HOSPITAL', 'PROFESSION'], kept: 105, bounds: SAMPLE_BOUNDS };

test('a job that replaces all types says nothing of kept ones', () => {
  expect(keptLines({ keptTypes: [], kept: 0, bounds: null })).toEqual([]);
});

test('entities that are kept are said to be under the limit but for one in twenty', () => {
  const said = keptLines(KEPT).join('\n');
  expect(said).toContain('105 labelled entities of HOSPITAL, PROFESSION are not replaced');
  expect(said).toMatch(
    /of HOSPITAL, PROFESSION: .*19 in\s+20 of each type.*under the limit of 0\.97/,
  );
  expect(said).not.toContain('nothing leaves');
});

test('a type that is withheld is said to be, and has no limit', () => {
  const said = (withheldTypes: string[]) =>
    keptLines({ ...KEPT, bounds: { ...SAMPLE_BOUNDS, withheldTypes } }).join('\n');
  expect(said(['PROFESSION'])).toMatch(/of HOSPITAL: .*19 in[\s\S]*nothing leaves of PROFESSION$/);
  expect(said(KEPT.keptTypes)).not.toContain('limit');
  expect(said(KEPT.keptTypes)).toMatch(/nothing leaves of HOSPITAL, PROFESSION$/);
});
