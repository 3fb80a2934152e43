import { describe, expect, test } from '@jest/globals';
import { renderToString } from 'preact-render-to-string';
import { JobReport } from '../../../../services/encoder/pages/job-report.js';
import type { EncodeReport } from '../../../../services/institution/release/job/encode-report.js';
import { SAMPLE_BOUNDS, SAMPLE_REPORT } from '../../institution/release/job/sample-report.js';

function shown(part: Partial<EncodeReport>): string {
  return renderToString(JobReport({ report: { ...SAMPLE_REPORT, ...part } }));
}

describe('the report of a job', () => {
  const suspects = { treatment: 'replace', byType: { HOSPITAL: 2 }, sentences: 0 } as const;

  test('says of suspects that they are replaced, unless of a type that is kept', () => {
    expect(shown({ suspects })).toMatch(/HOSPITAL 2: each is replaced as a labelled one is</);
    const keptTypes = { keptTypes: ['HOSPITAL'], bounds: SAMPLE_BOUNDS, entities: 9, immovable: 0 };
    expect(shown({ suspects, ...keptTypes })).toMatch(
      /each is replaced as a labelled one is, unless it is of a type that is kept \(HOSPITAL\)</,
    );
    expect(shown({ suspects: { ...suspects, treatment: 'withhold' }, ...keptTypes })).toMatch(
      /HOSPITAL 2: their sentences stay</,
    );
  });

  test('says of how many notes what leaves may depend on their entities', () => {
    expect(shown({})).toMatch(/what leaves does not depend on what they were</);
    expect(shown({ inexact: 3 })).toMatch(
      /on what they were, but for 3 notes of a format that parts/,
    );
  });

  test('names the types of which nothing leaves', () => {
    const kept = { keptTypes: ['HOSPITAL'], kept: 9, entities: 9, immovable: 0 };
    expect(shown({ ...kept, bounds: SAMPLE_BOUNDS })).not.toContain('nothing leaves of');
    const bounds = { ...SAMPLE_BOUNDS, withheldTypes: ['HOSPITAL'] };
    expect(shown({ ...kept, bounds })).toContain('nothing leaves of HOSPITAL');
  });

  test('counts sentences of notes that left, or stand in the job, otherwise apart', () => {
    expect(shown({})).not.toContain('other surrogates');
    expect(shown({ redrawn: 4 })).toContain(
      '4 sentences of notes that left, or stand in this job, with other surrogates or in another number of copies',
    );
  });

  test('says of what is withheld which part is a rest, right behind it', () => {
    expect(shown({ withheld: 9, rest: 5, redrawn: 4 })).toMatch(
      /Withheld<((?!<dt).)*<dt[^>]*>Of these, a rest<.*5 sentences.*Of notes drawn otherwise<.*4 sentences/,
    );
  });

  test('says of a dry run in several portions that less may leave', () => {
    const less = 'less may, since the notes were read in 4 portions';
    expect(shown({ portions: 4, released: 0 })).toContain(less);
    expect(shown({ portions: 4 })).not.toContain(less);
    expect(shown({ released: 0 })).not.toContain('portions');
  });

  test('says of one that an earlier version stored what that knew', () => {
    const bounds = { ...SAMPLE_BOUNDS, withheldTypes: ['HOSPITAL'] };
    const { portions: _, ...earlier } = { ...SAMPLE_REPORT, entities: 9, immovable: 0, bounds };
    const known = { ...earlier, entityTreatment: 'kept' };
    expect(renderToString(JobReport({ report: known }))).not.toContain('nothing leaves of');
    const { labelDocuments, keptTypes, copies, asText, alike, uncommon, pieces, ...first } = known;
    const html = renderToString(JobReport({ report: first }));
    expect(html).toContain('sentences leave whole');
    expect(html).not.toMatch(/undefined|NaN|Uncommon/);
  });

  test('says how labels leave, also where sentences leave whole', () => {
    expect(shown({})).toContain('those of each piece of 10 notes at least');
    expect(shown({ labelDocuments: 1 })).toContain(
      'sentences leave whole: who holds a note may know it by its labels alone',
    );
  });
});
