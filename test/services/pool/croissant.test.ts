import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Snapshot } from '../../../pool-store/snapshots/snapshot.js';
import type { Servers } from '../../../services/cli/servers.js';
import { ServiceClient } from '../../../services/client/client.js';
import type { Croissant } from '../../../services/pool/croissant.js';
import { capturedRun } from '../cli/captured-run.js';
import { contributionOf, createWorld, segmentOf, serve, sha256, type World } from '../world.js';

let world: World;
let servers: Servers;
let snapshot: Snapshot;
const url = () => servers.addresses.pool ?? '';
const as = (role: 'institution' | 'consumer') =>
  new ServiceClient({ baseUrl: url(), token: world.tokens[role] });

beforeAll(async () => {
  world = await createWorld();
  servers = await serve(world);
  const segments = [segmentOf(5, 1), segmentOf(7, 2)];
  for (const segment of segments)
    await as('institution').upload(segment, { digest: sha256(segment), kind: 'segment' });
  const envelope = contributionOf(segments, world.keys.institution, { terms: 'research alone' });
  await as('institution').json('POST', '/v1/contributions', envelope);
  snapshot = await as('consumer').json<Snapshot>('POST', '/v1/snapshots', {});
});
afterAll(async () => {
  await servers.close();
  world.remove();
});

test('a snapshot is described with what Croissant 1.0 asks for, and its terms', async () => {
  const path = `/v1/snapshots/${snapshot.id}/croissant`;
  const found = await as('consumer').json<Croissant>('GET', path);
  expect(found).toMatchObject({
    '@type': 'sc:Dataset',
    conformsTo: 'http://mlcommons.org/croissant/1.0',
    license: 'research alone',
    creator: [{ '@type': 'sc:Organization', name: 'institution' }],
    datePublished: snapshot.created,
  });
  for (const field of ['name', 'description', 'url', 'version', 'citeAs'] as const)
    expect(found[field]).not.toBe('');
  expect(Object.keys(found['@context'])).toEqual(
    expect.arrayContaining(['@vocab', 'sc', 'cr', 'dct', 'conformsTo', 'recordSet', 'fileObject']),
  );
});

test('the command gives addresses under which each file has the digest that is stated', async () => {
  const { stdout } = await capturedRun(
    ...['snapshot', 'croissant', snapshot.id, '--pool', url()],
    ...['--token', world.tokens.consumer],
  );
  const { distribution } = JSON.parse(stdout) as Croissant;
  expect(distribution).toHaveLength(2);
  for (const { contentUrl, sha256: stated } of distribution) {
    const response = await fetch(contentUrl, {
      headers: { Authorization: `Bearer ${world.tokens.consumer}` },
    });
    expect(sha256(new Uint8Array(await response.arrayBuffer()))).toBe(stated);
  }
});
