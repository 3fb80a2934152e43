import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createKeyFiles, readPublicKey } from '../../../../models/bundle/key-files.js';
import type { ManifestFields } from '../../../../models/bundle/manifest.js';
import { loadLabelScheme } from '../../../../models/text/label-scheme.js';
import { rawPublicKey } from '../../../../proto/ed25519-key.js';
import type { Servers } from '../../../../services/cli/servers.js';
import { createWorld, serve, type World } from '../../world.js';
import { capturedRun } from '../captured-run.js';
import { corpusSite } from '../small-corpus.js';

const { at } = corpusSite(12);
let world: World;
let servers: Servers;

const embeddings = () => ['--embeddings', at('words.vec')];
const trust = () => ['--trust', at('keys/public.pem')];
const as = (role: 'provider' | 'institution' | 'consumer') => ['--token', world.tokens[role]];
const pool = () => ['--pool', servers.addresses.pool ?? ''];

beforeAll(async () => {
  world = await createWorld();
  servers = await serve(world);
  const { identities } = servers.store;
  for (const [name, keys] of [
    ['provider', 'keys'],
    ['institution', 'own-keys'],
  ]) {
    const { publicKeyFile } = await createKeyFiles(at(keys));
    const { keyId } = await identities.request(
      name,
      rawPublicKey(await readPublicKey(publicKeyFile)),
    );
    await identities.approve(keyId);
  }
  await train('raw');
  await bundle('raw', 'raw-bundle');
});
afterAll(async () => {
  await servers.close();
  world.remove();
});

/** Its standard output; expects it to succeed. */
async function ok(...args: readonly string[]): Promise<string> {
  const { exit, stdout, stderr } = await capturedRun(...args);
  expect({ exit, stderr }).toEqual({ exit: 0, stderr });
  return stdout;
}

const train = (kind: string) =>
  ok(
    ...['train', kind, at('notes'), ...embeddings(), '--scheme', 'synthetic', '--language', 'en'],
    ...['--config', at('config.json'), '--out', at(kind)],
  );
const bundle = (from: string, to: string, ...more: readonly string[]) =>
  ok(
    ...['bundle', 'create', at(to), '--manifest', at(`${from}/manifest.json`)],
    ...['--weights', at(`${from}/weights.safetensors`), '--key', at('keys/private.pem')],
    ...more,
  );
const publish = (name: string) =>
  ok('publish', at(name), '--registry', servers.addresses.registry ?? '', ...as('provider'));

test('a registry takes and gives a pipeline without a representation', async () => {
  await publish('raw-bundle');
  await ok(
    ...['model', 'fetch', 'raw', '1.0.0', at('fetched'), ...trust()],
    ...['--registry', servers.addresses.registry ?? '', ...as('institution')],
  );
  expect(await readdir(at('fetched'))).toEqual(await readdir(at('raw-bundle')));
});

describe('tacet train pooled', () => {
  let snapshot: string;
  beforeAll(async () => {
    await train('certified');
    await bundle('certified', 'representation', '--inventory', at('certified/inventory.json'));
    await publish('representation');
    await ok(
      ...['encode', at('notes'), '--model', at('representation'), ...trust(), ...embeddings()],
      ...['--new-home', at('home')],
    );
    const sign = ['--home', at('home'), '--key', at('own-keys/private.pem')];
    await ok('contribute', ...sign, ...pool(), ...as('institution'));
    const made = await ok('--json', 'snapshot', 'create', ...pool(), ...as('consumer'));
    snapshot = JSON.parse(made).id;
  });

  const pooled = (...options: readonly string[]) =>
    ok(
      ...['train', 'pooled', '--snapshot', snapshot, ...pool(), ...as('consumer'), ...trust()],
      ...['--model', at('representation'), ...embeddings(), '--out', at('pooled')],
      ...['--config', at('config.json'), ...options],
    );

  test('ends with scores by sentence, the language of its representation and what comes next', async () => {
    const stdout = await pooled();
    expect(stdout).toMatch(/measured on \d+ sentences of the snapshot/);
    const { training, scores } = JSON.parse(
      await readFile(at('pooled/manifest.json'), 'utf8'),
    ) as ManifestFields;
    expect(training).toMatchObject({ objective: 'pooled', language: 'en', snapshot });
    for (const score of ['binary token F1', 'binary token recall', 'entity F1']) {
      expect(scores).toHaveProperty([
        `${score}, validation sentences as released, of notes that were trained on too`,
      ]);
      expect(stdout).toContain(score);
    }
    expect(stdout).toMatch(/\n {2}tacet bundle create \S*pooled-pipeline --manifest/);
    await bundle('pooled', 'pipeline');
    await publish('pipeline');
    await ok(
      ...['deidentify', at('notes'), at('clean'), '--model', at('pipeline'), ...trust()],
      ...embeddings(),
    );
  });

  test('resumes a run that has come to its end to the same scores', async () => {
    const before = await readFile(at('pooled/manifest.json'), 'utf8');
    await pooled('--resume');
    expect(await readFile(at('pooled/manifest.json'), 'utf8')).toBe(before);
  });

  test('resumes no run under another scheme, and one that an earlier version began without one', async () => {
    const file = at('pooled/config.json');
    const { scheme, ...earlier } = JSON.parse(await readFile(file, 'utf8'));
    expect(scheme).toBe(loadLabelScheme('synthetic').digest);
    const other = loadLabelScheme('hipaa-binary').digest;
    await writeFile(file, JSON.stringify({ ...earlier, scheme: other }));
    const { exit, stderr } = await capturedRun(
      ...['train', 'pooled', '--snapshot', snapshot, ...pool(), ...as('consumer'), ...trust()],
      ...['--model', at('representation'), ...embeddings(), '--out', at('pooled'), '--resume'],
      ...['--config', at('config.json')],
    );
    expect([exit, stderr]).toEqual([3, expect.stringMatching(/differs from this run/)]);
    await writeFile(file, JSON.stringify(earlier));
    await pooled('--resume');
  });

  test('keeps the network of a pipeline that no manifest can state', async () => {
    const vectors = at(`${'long'.repeat(55)}.vec`);
    await copyFile(at('words.vec'), vectors);
    const { exit, stderr } = await capturedRun(
      ...['train', 'pooled', '--snapshot', snapshot, ...pool(), ...as('consumer'), ...trust()],
      ...['--model', at('representation'), '--embeddings', vectors, '--out', at('unstated')],
      ...['--config', at('config.json')],
    );
    expect({ exit, stderr }).toEqual({
      exit: 4,
      stderr: expect.stringMatching(
        /bundle-invalid: .*embeddings\.name .*the network is kept \(\S*networks\.json\)/,
      ),
    });
    expect(await readdir(at('unstated'))).toContain('networks.safetensors');
  });

  test('learns PHI or not from releases with types and from releases without', async () => {
    const binary = ['--scheme', 'phi-binary'];
    await ok(
      ...['encode', at('notes'), '--model', at('representation'), ...trust(), ...embeddings()],
      ...[...binary, '--new-home', at('binary-home')],
    );
    const sign = ['--home', at('binary-home'), '--key', at('own-keys/private.pem')];
    await ok('contribute', ...sign, ...pool(), ...as('institution'));
    const { digest } = loadLabelScheme('phi-binary');
    const made = await ok(
      ...['--json', 'snapshot', 'create', '--label-scheme', digest, ...pool(), ...as('consumer')],
    );
    const typeless = JSON.parse(made).id;
    for (const [id, out] of [
      [snapshot, 'binary-of-typed'],
      [typeless, 'binary'],
    ])
      await pooled('--snapshot', id, ...binary, '--out', at(out));
    const { labelScheme } = JSON.parse(await readFile(at('binary/manifest.json'), 'utf8'));
    expect(labelScheme).toMatchObject({ name: 'phi-binary', labels: ['O', 'B-PHI', 'I-PHI'] });
    const { exit, stderr } = await capturedRun(
      ...['train', 'pooled', '--snapshot', typeless, ...pool(), ...as('consumer'), ...trust()],
      ...['--model', at('representation'), ...embeddings(), '--out', at('none')],
    );
    expect(exit).not.toBe(0);
    expect(stderr).toMatch(/has labels of phi-binary.*train with --scheme phi-binary/);
  });

  describe('with --own', () => {
    const own = () => ['--own', at('notes'), '--out', at('own')];
    const manifest = async () => JSON.parse(await readFile(at('own/manifest.json'), 'utf8'));

    test('learns from releases and from notes at home, whose words it reads beside them', async () => {
      const stdout = await pooled(...own());
      expect(stdout).toMatch(/measured on \d+ notes of your own, which ended the training/);
      const { training, scores, architecture } = await manifest();
      expect(training).toMatchObject({ objective: 'pooled', snapshot, 'notes read in clear': 12 });
      expect(scores).toHaveProperty(['entity F1, validation notes of one’s own']);
      const { wordDimension, inputDimension } = architecture.deidentifier;
      expect([wordDimension, inputDimension]).toEqual([
        architecture.representation.embeddingDimension,
        architecture.representation.dimension,
      ]);
      await bundle('own', 'own-pipeline');
      expect(await readFile(at('own-pipeline/MODEL_CARD.md'), 'utf8')).toMatch(
        /learned from notes in clear: nothing bounds/,
      );
      await ok(
        ...['deidentify', at('notes'), at('own-clean'), '--model', at('own-pipeline'), ...trust()],
        ...embeddings(),
      );
    });

    test('goes on to the same end', async () => {
      const before = await manifest();
      await pooled(...own(), '--resume');
      expect(await manifest()).toEqual(before);
    });

    test('goes on only where the very notes that it held end the training', async () => {
      const file = at('own/config.json');
      const record = await readFile(file, 'utf8');
      const { held, ...unheld } = JSON.parse(record);
      for (const other of [unheld, { ...unheld, held: '0'.repeat(held.length) }]) {
        await writeFile(file, JSON.stringify(other));
        const { exit, stderr } = await capturedRun(
          ...['train', 'pooled', '--snapshot', snapshot, ...pool(), ...as('consumer'), ...trust()],
          ...['--model', at('representation'), ...embeddings(), ...own(), '--resume'],
          ...['--config', at('config.json')],
        );
        expect([exit, stderr]).toEqual([3, expect.stringMatching(/differs from this run/)]);
      }
      await writeFile(file, record);
      await pooled(...own(), '--resume');
    });

    test('does not go on where the representation is said to have learned from them', async () => {
      const { exit, stderr } = await capturedRun(
        ...['train', 'pooled', '--snapshot', snapshot, ...pool(), ...as('consumer'), ...trust()],
        ...['--model', at('representation'), ...embeddings(), '--out', at('own'), '--resume'],
        ...['--learned-from', at('notes')],
      );
      expect(exit).not.toBe(0);
      expect(stderr).toMatch(/checkpoint-invalid: .*differs from this run/);
    });

    test('refuses copies that are not drawn of notes', async () => {
      const config = at('alpha.json');
      await writeFile(config, JSON.stringify({ augmentation: { alpha: 1 } }));
      const { exit, stderr } = await capturedRun(
        ...['train', 'pooled', '--snapshot', snapshot, ...pool(), ...as('consumer'), ...trust()],
        ...['--model', at('representation'), ...embeddings(), '--out', at('alpha')],
        ...['--learned-from', at('notes'), '--config', config],
      );
      expect({ exit, stderr }).toEqual({
        exit: 2,
        stderr: expect.stringMatching(
          /config-invalid: augmentation\.alpha is 1.*set augmentation\.replaced/,
        ),
      });
    });

    test('is given to no registry', async () => {
      const { exit, stderr } = await capturedRun(
        ...['publish', at('own-pipeline'), '--registry', servers.addresses.registry ?? ''],
        ...as('provider'),
      );
      expect({ exit, stderr }).toEqual({
        exit: 4,
        stderr: expect.stringMatching(/learned from notes in clear .* stays where these are/),
      });
    });

    test('says before anything is trained which notes it cannot read', async () => {
      const { exit, stderr } = await capturedRun(
        ...['train', 'pooled', '--snapshot', snapshot, ...pool(), ...as('consumer'), ...trust()],
        ...['--model', at('representation'), ...embeddings(), '--out', at('none')],
        ...['--own', at('no-notes')],
      );
      expect(exit).not.toBe(0);
      expect(stderr).toMatch(/no-notes/);
      await expect(readdir(at('none'))).rejects.toThrow('ENOENT');
    });
  });

  test('refuses a model that holds no representation', async () => {
    await writeFile(at('token'), world.tokens.consumer, { mode: 0o600 });
    const { exit, stderr } = await capturedRun(
      ...['train', 'pooled', '--snapshot', snapshot, ...pool(), '--token-file', at('token')],
      ...['--model', at('raw-bundle'), ...trust(), ...embeddings(), '--out', at('none')],
    );
    expect({ exit, stderr }).toEqual({
      exit: 4,
      stderr: expect.stringMatching(/holds no representation/),
    });
  });
});
