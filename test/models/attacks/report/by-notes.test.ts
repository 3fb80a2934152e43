import { beforeAll, expect, test } from '@jest/globals';
import { type Attack, conduct } from '../../../../models/attacks/attack.js';
import { attackReport } from '../../../../models/attacks/report/attack-report.js';
import { byNotes } from '../../../../models/attacks/report/by-notes.js';
import { useBackend } from '../../../../models/tensor/backend.js';
import { Random } from '../../../../models/tensor/random.js';
import { toyTarget } from '../toy-target.js';

beforeAll(async () => {
  await useBackend();
});

/** Right as often as it has notes. */
const reader: Attack<void, number> = {
  name: 'reader',
  minutes: 1,
  reports: 1,
  async prepare() {},
  async run({ train }) {
    return new Set(train.map(({ documentIndex }) => documentIndex)).size;
  },
  report: (documents, context) => [
    attackReport(
      { name: 'reader', description: 'reads', attack: 'inversion-phi', task: 'read the PHI' },
      Array.from({ length: 40 }, (_, i) => ({ documentIndex: i, success: i < documents })),
      0.1,
      context,
    ),
  ],
};

const context = { random: new Random(1), comparisons: 1, trials: [], distances: [] };

test('attackers with fewer notes give a curve; the attack itself has them all', async () => {
  const target = await toyTarget({ sentences: [128, 20, 20] });
  const [report] = await conduct(byNotes(reader), target, context);
  const [{ over, points }] = report.curves;
  expect(over).toBe('notes');
  expect(points.map(({ at, success }) => [at, success])).toEqual([
    [4, 0.1],
    [8, 0.2],
    [16, 0.4],
    [32, 0.8],
  ]);
  expect(report.success.value).toBe(0.8);
  expect(report.shortened).toBeNull();
});

test('the curve counts the notes that were learned from, where the attack states them', async () => {
  const target = await toyTarget({ sentences: [128, 20, 20] });
  const few: typeof reader = {
    ...reader,
    report: (documents, context) =>
      reader
        .report(documents, context)
        .map((report) => ({ ...report, settings: { notesLearnedFrom: documents / 2 } })),
  };
  const [report] = await conduct(byNotes(few), target, context);
  expect(report.curves[0]?.points.map(({ at }) => at)).toEqual([2, 4, 8, 16]);
});

test('where time is out the curve is left out, and the report says so', async () => {
  const target = await toyTarget({ sentences: [128, 20, 20] });
  const [report] = await conduct(byNotes(reader), target, { ...context, msLeft: () => -1 });
  expect(report.curves).toEqual([]);
  expect(report.shortened).toBe('0 of 3 attackers with fewer notes');
});
