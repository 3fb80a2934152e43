import { describe, expect, test } from '@jest/globals';
import type { Policy } from '../../../services/institution/approval/policy.js';
import { readingOf, treatmentOf } from '../../../services/workflows/entity-terms.js';

const policy = (said: Partial<Policy>): Policy => ({
  ...{ publisherKeys: [], maxReleases: 1, minDocuments: 1, neighbours: 100 },
  ...said,
});

describe('copies of a note', () => {
  test.each([
    ['a policy says nothing of them', { maxReleases: 5 }],
    ['it allows fewer', { maxReleases: 5, maxCopies: 2 }],
    ['its text may not be released so often', { maxReleases: 2, maxCopies: 5 }],
  ])('are refused where %s', async (_what, said) => {
    await expect(treatmentOf({ copies: 3 }, policy(said))).rejects.toMatchObject({
      code: 'policy-otherwise',
      message: expect.stringContaining('--copies 3'),
    });
  });

  test('leave where both limits allow it, or without a policy', async () => {
    const allowed = policy({ maxReleases: 3, maxCopies: 3 });
    const treatment = { entities: 'replaced', keptTypes: [], copies: 3 };
    expect(await treatmentOf({ copies: 3 }, allowed)).toEqual(treatment);
    expect(await treatmentOf({ copies: 3 }, undefined)).toEqual(treatment);
    expect(await treatmentOf({}, policy({}))).toEqual({
      entities: 'replaced',
      keptTypes: [],
      copies: 1,
    });
  });

  test('are refused of entities that are kept', async () => {
    await expect(treatmentOf({ copies: 2, entities: 'keep' }, undefined)).rejects.toMatchObject({
      code: 'usage',
    });
  });
});

describe('types that are kept', () => {
  const allowing = policy({ keptTypes: ['ORG', 'QUANTITY'], certifiedLimit: 0.7 });

  test('are those that the policy allows, of what is replaced otherwise', async () => {
    expect(await treatmentOf({ keep: ['ORG'] }, allowing)).toEqual({
      entities: 'replaced',
      keptTypes: ['ORG'],
      copies: 1,
    });
    expect(await treatmentOf({}, allowing)).toMatchObject({ keptTypes: [] });
  });

  test.each([
    ['the policy allows others', { keep: ['ORG', 'DEM'] }, allowing, 'policy-otherwise', 'DEM'],
    ['the policy says nothing of them', { keep: ['ORG'] }, policy({}), 'policy-otherwise', 'none'],
    ['there is no policy', { keep: ['ORG'] }, undefined, 'policy-otherwise', 'keptTypes'],
    ['all are kept', { keep: ['ORG'], entities: 'keep' as const }, undefined, 'usage', '--keep'],
    [
      'notes leave in copies',
      { keep: ['ORG'], copies: 2 },
      allowing,
      'policy-otherwise',
      '--copies',
    ],
    [
      'notes may leave in copies',
      { keep: ['ORG'], copies: 2 },
      { ...allowing, maxCopies: 2, maxReleases: 2 },
      'usage',
      '--copies',
    ],
  ])('are refused where %s', async (_what, terms, of, code, message) => {
    await expect(treatmentOf(terms, of)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
  });

  test('leave a policy that names some no way to keep all', async () => {
    await expect(treatmentOf({ entities: 'keep' }, allowing)).rejects.toMatchObject({
      code: 'policy-otherwise',
    });
  });
});

test('a threshold of a second reader is refused where there is none', () => {
  expect(() => readingOf({ readerThreshold: 0.2 }, undefined, 'replaced')).toThrow(
    '--reader-threshold: there is no --reader',
  );
});
