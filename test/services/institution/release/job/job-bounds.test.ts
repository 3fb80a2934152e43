import { describe, expect, test } from '@jest/globals';
import { JobBounds } from '../../../../../services/institution/release/job/job-bounds.js';
import { NOTHING_SPENT } from '../../../../../services/institution/release/limits/charge.js';
import {
  FEWEST,
  MOST_OVER,
} from '../../../../../services/institution/release/limits/type-rounds.js';
import { withhold } from '../../../../../services/institution/release/limits/withhold.js';
import { DocumentEntities } from '../../../../../services/institution/release/sentences/document-entities.js';
import { judgedNotes, type Note, namesIn, others, sentence } from '../limits/judged-notes.js';

const TWINS = 32;
const LIMIT = 0.7;

describe('the bounds of a job', () => {
  test('are those by which it is decided what is withheld', () => {
    // Half of the twins of a name that many share are another name, which stands in many sentences too.
    const families = ['family0', 'family1'];
    const named = families.flatMap((family) => [
      ...Array.from(
        { length: 9 },
        (_, i): Note => [sentence([`given${i} ${family}`]), sentence([family])],
      ),
      ...Array.from({ length: 5 }, (): Note => [sentence([family.replace('family', 'twin')])]),
    ]);
    const judged = (notes: readonly Note[]) =>
      judgedNotes(notes, {
        twinOf: (word, twin) =>
          twin < TWINS / 2 ? word.replace('family', 'twin') : `${word} ${twin}`,
        squaredOf: () => new Float64Array(TWINS).fill(0.0005),
      });
    const policy = { maxSentencesPerEntity: 12 };
    const boundsOf = (notes: readonly Note[]) => {
      const all = judged(notes);
      const bounds = new JobBounds(() => NOTHING_SPENT);
      const decision = withhold(all, () => NOTHING_SPENT, { ...policy, limit: 1 });
      bounds.add({ ...all, immovable: 0 }, decision);
      const entities = new DocumentEntities();
      for (const name of namesIn(notes)) entities.add(name);
      return bounds.report(entities, LIMIT).entities.after;
    };
    const { over, count } = boundsOf(named);
    expect(over).toBe(20);
    for (const [more, types] of [
      [MOST_OVER * over - count, []],
      [MOST_OVER * over - count - 1, [1]],
    ] as const) {
      const notes = [...named, ...others(more)];
      expect(boundsOf(notes)).toMatchObject({ over, count: count + more });
      const decision = withhold(judged(notes), () => NOTHING_SPENT, { ...policy, limit: LIMIT });
      expect(decision.types).toEqual(new Set(types));
    }
  });

  test('name a type of which nothing is released where no portion of the job releases any', () => {
    const boundsOf = (...portions: (readonly Note[])[]) => {
      const bounds = new JobBounds(() => NOTHING_SPENT, ['PHI']);
      for (const notes of portions) {
        const judged = judgedNotes(notes, {
          twinOf: (word, twin) => `${word} ${twin}`,
          squaredOf: () => new Float64Array(TWINS).fill(0.0005),
        });
        const decision = withhold(judged, () => NOTHING_SPENT, { limit: LIMIT });
        bounds.add({ ...judged, immovable: 0 }, decision);
      }
      return bounds.report(new DocumentEntities(), LIMIT);
    };
    const [few, enough] = [others(FEWEST - 1), others(FEWEST)];
    expect(boundsOf(few)).toMatchObject({ withheldTypes: ['PHI'] });
    for (const portions of [
      [few, enough],
      [enough, few],
    ])
      expect(boundsOf(...portions)).toMatchObject({ withheldTypes: [] });
  });
});
