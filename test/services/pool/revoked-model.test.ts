import { describe, expect, test } from '@jest/globals';
import type { Contribution } from '../../../pool-store/contributions/contribution-records.js';
import { PATHS } from '../../../proto/paths.js';
import { writeSegment } from '../../../proto/segment.js';
import { servedWorld } from '../served-world.js';
import { contributionOf, sha256 } from '../world.js';
import { RELEASE_MODEL, RELEASE_SHAPE, releases } from './releases.js';

const site = servedWorld();

async function uploaded(seed: number) {
  const segment = writeSegment(RELEASE_SHAPE, [...releases(seed, 20)]);
  await site.as('institution').upload(segment, { digest: sha256(segment), kind: 'segment' });
  const { modelDigest: model, labelSchemeDigest: labelScheme } = RELEASE_SHAPE;
  return contributionOf([segment], site.world.keys.institution, { model, labelScheme });
}

const give = (envelope: Awaited<ReturnType<typeof uploaded>>) =>
  site.as('institution').json<Contribution>('POST', PATHS.contributions, envelope);

describe('a model that the registry beside a pool knows', () => {
  test('is contributed to until it is revoked; what was given before stays, and is given again as once', async () => {
    const { models } = site.servers.store;
    const { modelDigest: digest, labelSchemeDigest, labelCount } = RELEASE_SHAPE;
    const labelScheme = { digest: labelSchemeDigest, labels: Array(labelCount).fill('O') };
    await models.publish({
      ...{ digest, name: 'broken', version: '1.0.0', publisher: 'provider', files: {} },
      manifest: { ...RELEASE_MODEL, labelScheme },
    });
    const before = await uploaded(1);
    const first = await give(before);
    await models.setStatus('broken', '1.0.0', 'revoked', 'names can be read in its vectors');
    await expect(give(await uploaded(2))).rejects.toMatchObject({
      code: 'model-revoked',
      message: expect.stringMatching(/broken 1\.0\.0 .*names can be read/),
    });
    expect(await give(before)).toEqual(first);
  });
});
