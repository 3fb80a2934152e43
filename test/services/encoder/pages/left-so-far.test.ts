import { describe, expect, test } from '@jest/globals';
import { renderToString } from 'preact-render-to-string';
import type { Document } from '../../../../models/text/document.js';
import { LeftSoFar } from '../../../../services/encoder/pages/left-so-far.js';
import type { EncodingModel } from '../../../../services/institution/bundles/encoding-model.js';
import { notesOfDistinctLengths } from '../../institution/notes.js';
import { encodeWhole } from '../../institution/release/encode-whole.js';
import { inNewHomes } from '../../institution/release/in-new-homes.js';
import { TWO_TYPES } from '../../institution/two-types.js';

const LOOSE = { limit: 1, neighbours: 3, twins: 4 };

describe('what has left so far', () => {
  let model: EncodingModel;
  let home: string;
  inNewHomes((setting) => {
    ({ home } = setting);
    model = { ...setting.model, scheme: TWO_TYPES };
  });
  const shown = () => renderToString(LeftSoFar({ home }));

  test('is under the limit, where types were kept, but for one in twenty in each portion of each job', async () => {
    const [first, second] = notesOfDistinctLengths(2);
    if (!first || !second) throw new Error('notes were expected');
    const spans = [{ type: 'HOSPITAL', start: 0, end: 5 }];
    await encodeWhole([{ ...first, spans }], model, home, {
      ...{ keptTypes: ['ORG'], certification: LOOSE },
    });
    expect(shown()).toMatch(
      /of 19 in 20 entities of every type, among those of each portion of each job.*add up over jobs\. It says nothing of entities that were replaced/,
    );
    expect(shown()).toContain('replaced, but for those of types that a job kept');
    expect(shown()).not.toContain('each entity');
    await encodeWhole([{ ...second, spans: [] }], model, home, {});
    expect(shown()).not.toContain('replaced in all that left');
  });

  test('is under the laxest limit of any job, and what leaves next under the strictest', async () => {
    const notes = notesOfDistinctLengths(2);
    for (const [i, limit] of [1, 0.9].entries()) {
      const spans = [{ type: i === 0 ? 'HOSPITAL' : 'PHI', start: 0, end: 5 }];
      await encodeWhole([{ ...(notes[i] as Document), spans }], model, home, {
        ...{ keptTypes: ['ORG'], certification: { ...LOOSE, limit } },
      });
      expect(shown()).toMatch(/100\.0 %: of 19 in 20/);
      const strictest = expect.stringContaining('no job may have one over 90.0 % from now on');
      expect(shown()).toEqual(i === 0 ? expect.not.stringContaining('laxest') : strictest);
    }
  });

  test('is told without a limit where all entities were replaced', async () => {
    await encodeWhole(notesOfDistinctLengths(2), model, home, {});
    expect(shown()).toContain('replaced in all that left, for good');
    expect(shown()).not.toContain('limit');
  });
});
