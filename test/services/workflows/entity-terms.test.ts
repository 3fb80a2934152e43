import { describe, expect, test } from '@jest/globals';
import type { Policy } from '../../../services/institution/approval/policy.js';
import { treatmentOf } from '../../../services/workflows/entity-terms.js';

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
    const treatment = { entities: 'replaced', copies: 3 };
    expect(await treatmentOf({ copies: 3 }, allowed)).toEqual(treatment);
    expect(await treatmentOf({ copies: 3 }, undefined)).toEqual(treatment);
    expect(await treatmentOf({}, policy({}))).toEqual({ entities: 'replaced', copies: 1 });
  });

  test('are refused of entities that are kept', async () => {
    await expect(treatmentOf({ copies: 2, entities: 'keep' }, undefined)).rejects.toMatchObject({
      code: 'usage',
    });
  });
});
