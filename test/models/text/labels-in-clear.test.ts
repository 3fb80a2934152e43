import { describe, expect, test } from '@jest/globals';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';
import { LabelsInClear } from '../../../models/text/labels-in-clear.js';

const scheme = loadLabelScheme('phi-binary');
const long = `${'word '.repeat(30)}end.`;

function counted(pieces?: number): LabelsInClear {
  const counts = new LabelsInClear(scheme, pieces);
  counts.add({ id: 'a', text: 'Seen by Ana.', spans: [{ type: 'PHI', start: 8, end: 11 }] });
  counts.add({ id: 'b', text: 'Ask for Luis.', spans: [{ type: 'PHI', start: 8, end: 12 }] });
  counts.add({ id: 'c', text: 'Ana is well.', spans: [{ type: 'PHI', start: 0, end: 3 }] });
  counts.add({ id: 'd', text: long, spans: [] });
  return counts;
}

describe('labels in clear', () => {
  test('tell a sentence apart whose labels no other has', () => {
    const { all, long } = counted();
    expect(all).toEqual({ sentences: 4, unique: 2 });
    expect(long).toEqual({ sentences: 1, unique: 1 });
  });

  test('tell a note apart that has a sentence whose labels no other note has', () => {
    expect(counted().notes).toEqual({ notes: 4, told: 2 });
    const counts = new LabelsInClear(scheme);
    // Twice in one note, and nowhere else.
    counts.add({ id: 'a', text: 'Ana. Ana.', spans: [] });
    counts.add({ id: 'b', text: 'She is very well.', spans: [] });
    expect(counts.notes).toEqual({ notes: 2, told: 2 });
    expect(counts.all).toEqual({ sentences: 3, unique: 1 });
  });

  test('tell less of a sentence that is cut into pieces', () => {
    // The four pieces of the long sentence are alike.
    const { all, long } = counted(8);
    expect(all).toEqual({ sentences: 7, unique: 1 });
    expect(long).toEqual({ sentences: 0, unique: 0 });
  });
});
