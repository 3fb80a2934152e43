import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Servers } from '../../../services/cli/servers.js';
import { DEFAULT_LIMITS, type Limits } from '../../../services/http/limits.js';
import { createWorld, serve, sha256, type World } from '../world.js';

const CREATIONS = 300;

let world: World;
let servers: Servers | undefined;

beforeEach(async () => {
  world = await createWorld();
});
afterEach(async () => {
  await servers?.close();
  servers = undefined;
  world.remove();
});

interface Creation {
  readonly token: string;
  readonly bytes: number;
  readonly kind?: 'segment' | 'bundle-file';
}

/** Begins all of them at once; returns how many were let in, and the codes of the refusals. */
async function beginAll(
  limits: Partial<Limits>,
  creationsOf: (servers: Servers) => readonly Creation[] | Promise<readonly Creation[]>,
): Promise<{ letIn: number; refused: string[] }> {
  servers = await serve(world, { limits: { ...DEFAULT_LIMITS, ...limits } });
  const { registry, pool } = servers.addresses;
  const creations = await creationsOf(servers);
  const answers = await Promise.all(
    creations.map(async ({ token, bytes, kind = 'segment' }, i) => {
      const answer = await fetch(`${kind === 'segment' ? pool : registry}/v1/uploads`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${token}`,
          'Tus-Resumable': '1.0.0',
          'Upload-Length': String(bytes),
          'Upload-Metadata': `digest ${base64(sha256(Buffer.from(`${i}`)))},kind ${base64(kind)}`,
        },
      });
      const body = await answer.text();
      return answer.status === 201 ? undefined : String(JSON.parse(body).code);
    }),
  );
  const refused = answers.filter((code) => code !== undefined);
  return { letIn: answers.length - refused.length, refused: [...new Set(refused)] };
}

const base64 = (text: string) => Buffer.from(text).toString('base64');
const times = (count: number, creation: Creation) => Array.from({ length: count }, () => creation);

describe('uploads that are begun at once', () => {
  test('are as many of one token as the limit says', async () => {
    const { institution: token } = world.tokens;
    const { letIn, refused } = await beginAll({}, () => times(CREATIONS, { token, bytes: 10 }));
    expect(letIn).toBe(DEFAULT_LIMITS.openUploads);
    expect(refused).toEqual(['quota-exceeded']);
  });

  test('take no more bytes of a name than its quota, by however many tokens', async () => {
    const limits = { quotaBytes: 1000, openUploads: CREATIONS };
    const { letIn, refused } = await beginAll(limits, async ({ store }) => {
      const creations: Creation[] = [];
      for (const _ of [1, 2, 3]) {
        const { token } = await store.tokens.create({ role: 'institution', name: 'north' });
        creations.push(...times(CREATIONS / 3, { token, bytes: 100 }));
      }
      return creations;
    });
    expect({ letIn, refused }).toEqual({ letIn: 10, refused: ['quota-exceeded'] });
  });

  test('take no more bytes of a name than its quota at a registry and a pool together', async () => {
    const limits = { quotaBytes: 1000, openUploads: CREATIONS };
    const { letIn, refused } = await beginAll(limits, async ({ store }) => {
      const tokenOf = async (role: 'institution' | 'provider') =>
        (await store.tokens.create({ role, name: 'north' })).token;
      const [giver, publisher] = [await tokenOf('institution'), await tokenOf('provider')];
      return [
        ...times(50, { token: giver, bytes: 100 }),
        ...times(50, { token: publisher, bytes: 100, kind: 'bundle-file' }),
      ];
    });
    expect({ letIn, refused }).toEqual({ letIn: 10, refused: ['quota-exceeded'] });
  });
});
