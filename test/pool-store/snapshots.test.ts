import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { acceptUpload } from '../../pool-store/accept-upload.js';
import { Store } from '../../pool-store/store.js';
import { openContribution } from '../../proto/contribution.js';
import { rawPublicKey } from '../../proto/dsse.js';
import { contributionOf, segmentOf, sha256 } from '../services/world.js';

const MODELS = ['11'.repeat(32), '22'.repeat(32)];

let directory: string;
let store: Store;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tacet-snapshots-'));
  store = new Store(directory);
  await contribute('north', MODELS[0], 1);
  await contribute('south', MODELS[0], 2);
  await contribute('south', MODELS[1], 3);
});
afterAll(() => {
  store.close();
  rmSync(directory, { recursive: true, force: true });
});

async function contribute(institution: string, model: string, seed: number): Promise<void> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  store.identities.approve(store.identities.request(institution, rawPublicKey(publicKey)).keyId);
  const segment = segmentOf(10, seed, { modelDigest: model });
  const path = join(store.uploads, 'upload');
  writeFileSync(path, segment);
  await acceptUpload(store, path, { digest: sha256(segment), kind: 'segment' });
  const envelope = contributionOf([segment], privateKey, { institution, model });
  store.contributions.accept(envelope, openContribution(envelope, [publicKey]));
}

describe('a snapshot', () => {
  test('takes one model, and names the models where there are more', () => {
    expect(() => store.snapshots.create()).toThrow(/one modelDigest; found 1+, 2+: name one/);
    const { institutions, sentenceCount } = store.snapshots.create({ model: MODELS[0] });
    expect({ institutions, sentenceCount }).toEqual({
      institutions: ['north', 'south'],
      sentenceCount: 20,
    });
  });

  test('takes the institutions that are named', () => {
    const { institutions } = store.snapshots.create({ model: MODELS[0], institutions: ['north'] });
    expect(institutions).toEqual(['north']);
  });

  test('stays what it was when more is contributed', async () => {
    const before = store.snapshots.create({ model: MODELS[1] });
    await contribute('north', MODELS[1], 4);
    expect(store.snapshots.get(before.id)).toEqual(before);
    const after = store.snapshots.create({ model: MODELS[1] });
    expect(after.id).not.toBe(before.id);
    expect(after.segments).toEqual(expect.arrayContaining([...before.segments]));
  });
});
