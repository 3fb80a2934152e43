import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { writeSafetensors } from '../../../../models/bundle/safetensors.js';
import { statedScore } from '../../../../models/bundle/stated-scores.js';
import { manifestFields, tinyWeights } from '../../../models/bundle/manifest-fields.js';
import { capturedRun } from '../captured-run.js';

describe('tacet keys and tacet bundle', () => {
  let root: string;
  let bundle: string;
  let trust: string;
  let create: (directory: string, manifest: string) => ReturnType<typeof capturedRun>;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'tacet-bundle-command-'));
    bundle = join(root, 'bundle');
    trust = join(root, 'keys', 'public.pem');
    await writeFile(join(root, 'weights'), writeSafetensors(tinyWeights()));
    const fields = {
      ...manifestFields(),
      scores: statedScore('binary F1', { value: 0.912345, interval: [0.9, 0.95] }),
    };
    await writeFile(join(root, 'facts.json'), JSON.stringify(fields));
    await writeFile(join(root, 'bad.json'), '{"name": "tiny"}');
    create = (directory, manifest) =>
      capturedRun(
        ...['--json', 'bundle', 'create', directory, '--manifest', join(root, manifest)],
        ...['--weights', join(root, 'weights'), '--key', join(root, 'keys', 'private.pem')],
      );
  });
  afterAll(() => rm(root, { recursive: true }));

  test('make a key pair, once', async () => {
    const { exit, stdout } = await capturedRun('--json', 'keys', 'create', join(root, 'keys'));
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ keyId: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect((await stat(join(root, 'keys', 'private.pem'))).mode & 0o777).toBe(0o600);
    const again = await capturedRun('keys', 'create', join(root, 'keys'));
    expect(again).toMatchObject({ exit: 3, stderr: expect.stringMatching(/file-exists/) });
  });

  test('make a bundle, show it and verify it', async () => {
    const created = await create(bundle, 'facts.json');
    expect(created.exit).toBe(0);
    const { digest } = JSON.parse(created.stdout);
    const verified = await capturedRun('--json', 'bundle', 'verify', bundle, '--trust', trust);
    expect(JSON.parse(verified.stdout)).toMatchObject({ verified: true, digest });
    const shown = await capturedRun('bundle', 'show', bundle);
    expect(shown.stdout).toMatch(/^tiny 1\.0\.0\nA representation: turns labelled notes into/);
    for (const fact of ['What it is not for', 'tiny-notes', '0.9123 [0.9, 0.95]'])
      expect(shown.stdout).toContain(fact);
    for (const fact of ['1 types of PHI', 'NAME', '2 dimensions a token', 'nothing was checked'])
      expect(shown.stdout).toContain(fact);
  });

  test('sign for tools of others as well, and ask for that signature by a key', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
    const modelKey = join(root, 'model-key.pem');
    const modelTrust = join(root, 'model-trust.pem');
    await writeFile(modelKey, privateKey.export({ type: 'sec1', format: 'pem' }), { mode: 0o600 });
    await writeFile(modelTrust, publicKey.export({ type: 'spki', format: 'pem' }));
    const verify = () =>
      capturedRun('bundle', 'verify', bundle, '--trust', trust, '--model-trust', modelTrust);
    expect((await verify()).stderr).toMatch(/bundle-file-missing.*model\.sig/);
    const nothing = await capturedRun('bundle', 'sign', bundle, '--trust', trust);
    expect(nothing.stderr).toMatch(/usage: give --key, --model-key, or both/);
    const signed = await capturedRun(
      ...['bundle', 'sign', bundle, '--trust', trust, '--model-key', modelKey],
    );
    expect(signed.exit).toBe(0);
    expect((await verify()).stdout).toContain('model.sig by the key that is trusted with it');
  });

  test('print what a bundle is made of, once it was verified', async () => {
    const printed = await capturedRun('bundle', 'sbom', bundle, '--trust', trust);
    const { specVersion, components } = JSON.parse(printed.stdout);
    expect(specVersion).toBe('1.6');
    const names = components.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(['weights.safetensors', 'signature.json']));
  });

  test('make the same bundle again, byte for byte, for who says when', async () => {
    const before = process.env.SOURCE_DATE_EPOCH;
    const made = ['again-1', 'again-2'].map((name) => join(root, name));
    try {
      process.env.SOURCE_DATE_EPOCH = '1893456000';
      for (const directory of made) expect((await create(directory, 'facts.json')).exit).toBe(0);
      process.env.SOURCE_DATE_EPOCH = 'yesterday';
      const refused = await create(join(root, 'again-3'), 'facts.json');
      expect(refused.stderr).toMatch(/config-invalid.*SOURCE_DATE_EPOCH/);
    } finally {
      if (before === undefined) delete process.env.SOURCE_DATE_EPOCH;
      else process.env.SOURCE_DATE_EPOCH = before;
    }
    const [one = '', two = ''] = made;
    const names = await readdir(one);
    expect(await readdir(two)).toEqual(names);
    for (const name of names)
      expect(await readFile(join(one, name))).toEqual(await readFile(join(two, name)));
    const { created } = JSON.parse(await readFile(join(one, 'manifest.json'), 'utf8'));
    expect(created).toBe('2030-01-01T00:00:00.000Z');
  });

  test('say which file holds no weights, or those of another training', async () => {
    const tiny = tinyWeights();
    const [first = ''] = Object.keys(tiny);
    const more = { ...tiny, 'adversary/hidden': { shape: [1], data: Float32Array.of(1) } };
    const { [first]: _, ...fewer } = tiny;
    await writeFile(join(root, 'more'), writeSafetensors(more));
    await writeFile(join(root, 'fewer'), writeSafetensors(fewer));
    for (const [file, exit, says] of [
      ['facts.json', 4, /bundle-invalid: \S+facts\.json: expected the weights\.safetensors that/],
      ['more', 4, /facts\.json and \S+more: .*'adversary\/hidden'.* do not belong together/],
      ['fewer', 4, /facts\.json and \S+fewer: .* do not belong together/],
      ['.', 3, /file-unreadable: .*EISDIR/],
      ['nowhere', 3, /file-not-found: \S+nowhere: /],
    ] as const) {
      const refused = await capturedRun(
        ...['bundle', 'create', join(root, 'refused'), '--manifest', join(root, 'facts.json')],
        ...['--weights', join(root, file), '--key', join(root, 'keys', 'private.pem')],
      );
      expect([refused.exit, refused.stderr]).toEqual([exit, expect.stringMatching(says)]);
    }
    expect(await readdir(root)).not.toContain('refused');
  });

  test('make a bundle with the curve of its training', async () => {
    const metrics = join(root, 'metrics.jsonl');
    const epoch = { stage: 'P1', epoch: 1, train: { l_deid: 0.5 }, validation: { l_deid: null } };
    await writeFile(metrics, `${JSON.stringify({ ...epoch, tokens: 9, seconds: 1 })}\n`);
    const [drawn, missing] = ['drawn', 'missing'].map((folder) => join(root, folder));
    const createWith = (directory: string, file: string) =>
      capturedRun(
        ...['bundle', 'create', directory, '--manifest', join(root, 'facts.json')],
        ...['--weights', join(root, 'weights'), '--metrics', file],
        ...['--key', join(root, 'keys', 'private.pem')],
      );
    expect((await createWith(drawn, metrics)).exit).toBe(0);
    expect((await capturedRun('bundle', 'verify', drawn, '--trust', trust)).exit).toBe(0);
    expect(JSON.parse(await readFile(join(drawn, 'training.json'), 'utf8'))).toEqual({
      ...{ format: 'tacet-curve-1', epochs: [epoch] },
    });
    expect((await createWith(missing, join(root, 'nothing'))).stderr).toContain('file-not-found');
  });

  test('sign a bundle that was verified, and demand both signatures', async () => {
    await capturedRun('keys', 'create', join(root, 'hospital'));
    const twice = await capturedRun('bundle', 'verify', bundle, '--trust', trust, trust, '--all');
    expect(twice).toMatchObject({ exit: 2, stderr: expect.stringMatching(/name each key once/) });
    const both = ['--trust', trust, join(root, 'hospital', 'public.pem'), '--all'];
    const before = await capturedRun('bundle', 'verify', bundle, ...both);
    expect(before).toMatchObject({ exit: 4, stderr: expect.stringMatching(/key-untrusted/) });
    const key = ['--key', join(root, 'hospital', 'private.pem')];
    const signed = await capturedRun('--json', 'bundle', 'sign', bundle, '--trust', trust, ...key);
    expect(JSON.parse(signed.stdout).signers).toHaveLength(2);
    const after = await capturedRun('--json', 'bundle', 'verify', bundle, ...both);
    expect(JSON.parse(after.stdout)).toMatchObject({ verified: true });
  });

  test('refuse facts that miss something, naming it', async () => {
    const refused = await create(join(root, 'none'), 'bad.json');
    expect(refused).toMatchObject({ exit: 4, stderr: expect.stringMatching(/version/) });
  });

  test('end with status 4 at a changed byte and at another key', async () => {
    await capturedRun('keys', 'create', join(root, 'other'));
    const stranger = join(root, 'other', 'public.pem');
    const unknown = await capturedRun('bundle', 'verify', bundle, '--trust', stranger);
    expect(unknown).toMatchObject({ exit: 4, stderr: expect.stringMatching(/key-untrusted/) });
    await writeFile(join(bundle, 'MODEL_CARD.md'), 'safe to use');
    const changed = await capturedRun('bundle', 'verify', bundle, '--trust', trust);
    expect(changed).toMatchObject({ exit: 4, stderr: expect.stringMatching(/bundle-digest/) });
    expect(changed.stderr.split('\n')).toHaveLength(2);
  });
});
