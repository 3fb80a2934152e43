import { describe, expect, test } from '@jest/globals';
import type { Contribution } from '../../../pool-store/contributions/contribution-records.js';
import type { Role } from '../../../pool-store/members/tokens.js';
import { PATHS, pathTo } from '../../../proto/paths.js';
import { sentenceOf, shape } from '../../proto/encoded-sentences.js';
import { segmentOfFirstFormat } from '../../proto/first-format.js';
import { servedWorld } from '../served-world.js';
import { contributionOf, segmentOf, sha256 } from '../world.js';

const site = servedWorld();
const { as } = site;
const upload = (segment: Uint8Array) =>
  as('institution').upload(segment, { digest: sha256(segment), kind: 'segment' });
const give = (segment: Uint8Array) =>
  as('institution').json<Contribution>(
    'POST',
    PATHS.contributions,
    contributionOf([segment], site.world.keys.institution),
  );

async function asked(role: Role, segment: Uint8Array, method = 'GET') {
  const path = pathTo(PATHS.blob, { digest: sha256(segment) });
  const response = await fetch(`${site.pool}${path}`, {
    method,
    headers: { Authorization: `Bearer ${site.world.tokens[role]}` },
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, bytes };
}

describe('the bytes of a segment', () => {
  test('are for readers once they were contributed, and until they are withdrawn', async () => {
    const segment = segmentOf(5, 1);
    await upload(segment);
    const { id } = await give(segment);
    expect((await asked('consumer', segment)).bytes.equals(segment)).toBe(true);
    await as('institution').json('DELETE', pathTo(PATHS.contribution, { id }));
    expect((await asked('consumer', segment)).status).toBe(410);
  });

  test('are for nobody before that, though who uploads may ask whether they are there', async () => {
    const segment = segmentOf(5, 2);
    await upload(segment);
    for (const role of ['consumer', 'admin'] as const) {
      const { status, bytes } = await asked(role, segment);
      expect(status).toBe(404);
      expect(JSON.parse(bytes.toString())).toMatchObject({ code: 'not-found' });
    }
    expect((await asked('institution', segment, 'HEAD')).status).toBe(200);
  });

  test('are not handed on where they hold the casing of every token in clear', async () => {
    const sentences = [1, 2].map((seed) => sentenceOf(6, 990_000 + seed));
    const segment = segmentOfFirstFormat(shape, sentences);
    await upload(segment);
    expect((await give(segment)).casingInClear).toBe(true);
    const { status, bytes } = await asked('consumer', segment);
    expect(status).toBe(403);
    expect(bytes.includes(Buffer.from(segment.subarray(8, 200)))).toBe(false);
  });
});
