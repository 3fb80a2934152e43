import { afterAll, describe, expect, test } from '@jest/globals';
import { Remarks } from '../../../../models/text/corpus/remarks.js';
import { readAll, TemporaryFiles } from './temporary-files.js';

const files = new TemporaryFiles();
afterAll(() => files.remove());

async function remarksOn(contents: Record<string, string>): Promise<Remarks> {
  const remarks = new Remarks();
  await readAll(files.write(contents), { remarks, skipBad: true });
  return remarks;
}

describe('what a reader passes over is counted', () => {
  test('in brat', async () => {
    const annotations = [
      'T1\tNAME 0 3;6 9;10 13\tAnn Lee May',
      'T2\tAGE 14 16\t70',
      'T3\tAGE 14 16\t70',
      'R1\tOf Arg1:T1 Arg2:T2',
      'E1\tNAME:T1',
      'A1\tSure T1',
      'M1\tSure T1',
      'N1\tReference T1 x:1\tAnn',
      '#1\tAnnotatorNotes T1\tsure',
      '*\tEquiv T2 T3',
    ];
    const { counts } = await remarksOn({
      'a.txt': 'Ann x Lee May 70',
      'a.ann': annotations.join('\n'),
    });
    expect(counts).toEqual({
      relations: 1,
      events: 1,
      attributes: 2,
      normalisations: 1,
      notes: 1,
      equivalences: 1,
      fragments: 1,
      repeatedSpans: 1,
    });
  });

  test('in XML', async () => {
    const xml = '<a><META><b/></META><TEXT>Ann</TEXT><TAGS/></a>';
    const remarks = await remarksOn({ 'a.xml': xml, 'b.xml': xml });
    expect(remarks.lines()).toEqual(['4 elements beside TEXT and TAGS, not read']);
  });

  test('in sound documents only', async () => {
    const { counts } = await remarksOn({ 'a.txt': 'Ann', 'a.ann': 'R1\tx\nT1\tNAME 0 9\n' });
    expect(counts).toEqual({});
  });
});
