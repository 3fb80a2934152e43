import { generateKeyPairSync } from 'node:crypto';
import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { weightsOf } from '../../../models/bundle/bundle.js';
import { describeBundle } from '../../../models/bundle/describe.js';
import { representedBy } from '../../../models/bundle/represented.js';
import { writeSafetensors } from '../../../models/bundle/safetensors.js';
import { verifyBundle } from '../../../models/bundle/verify.js';
import { Representation } from '../../../models/networks/representation.js';
import { Random } from '../../../models/tensor/random.js';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';
import {
  freeze,
  frozenDigest,
  openFrozen,
  openRepresentation,
} from '../../../study/runs/frozen.js';
import { DIMENSION, toyVocabulary } from '../../models/training/toy-notes.js';
import { ROOT } from '../../shared-data.js';
import { writeSampleRun } from './sample-runs.js';

let folder = '';
const at = (name: string) => path.join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tacet-frozen-'));
  await writeSampleRun(folder, { name: 'run', kind: 'certified', f1: 0.97, bound: 0.54 });
  const representation = Representation.create(
    {
      ...{ embeddingDimension: DIMENSION, units: 4, dimension: 3 },
      ...{ initialInputStddev: 0.1, initialOutputStddev: 0.1 },
    },
    new Random(1),
  );
  const { fields, weights } = describeBundle(
    { representation },
    {
      ...{ name: 'run', version: '1.0.0', scheme: loadLabelScheme('synthetic') },
      ...{ embeddings: toyVocabulary().embeddings, embeddingsName: 'toy' },
      ...{ training: { objective: 'certified', documents: 9 }, scores: {} },
    },
  );
  await writeFile(at('run/manifest.json'), JSON.stringify(fields));
  await writeFile(at('run/weights.safetensors'), writeSafetensors(weights));
});
afterAll(() => rm(folder, { recursive: true }));

describe('a frozen run', () => {
  test('comes back as it was, under its own name, with what was measured of it', async () => {
    const frozen = await freeze(at('run'), at('kept'));
    expect(await openFrozen(at('kept'))).toEqual(frozen);
    expect(frozen.fields.name).toBe('kept');
    expect(frozen.fields.scores).toMatchObject({
      'limit of every attack on pairs, held-out notes': 0.54,
      'limit of every attack on pairs, held-out notes, 95 % interval to': expect.any(Number),
    });
    expect(await readFile(at('kept/config.json'))).toEqual(await readFile(at('run/config.json')));
  });

  test('is a signed bundle where there is a key', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    await freeze(at('run'), at('signed'), privateKey);
    const { weights, signed } = await openFrozen(at('signed'));
    expect(signed).toBe(true);
    const bundle = await verifyBundle(at('signed/bundle'), { trustedKeys: [publicKey] });
    expect(weightsOf(bundle)).toEqual(weights);
  });

  test('is refused where a file has changed, is missing or was added', async () => {
    await freeze(at('run'), at('first'));
    for (const [name, change] of [
      ['changed', () => appendFile(at('changed/manifest.json'), ' ')],
      ['missing', () => rm(at('missing/config.json'))],
      ['added', () => writeFile(at('added/notes.txt'), 'text')],
    ] as const) {
      await cp(at('first'), at(name), { recursive: true });
      await change();
      await expect(openFrozen(at(name))).rejects.toMatchObject({ code: 'bundle-digest' });
    }
  });

  test('is refused where a file is no JSON, naming it', async () => {
    await freeze(at('run'), at('damaged'));
    await writeFile(at('damaged/frozen.json'), '{"format": ');
    await expect(openFrozen(at('damaged'))).rejects.toMatchObject({
      code: 'bundle-invalid',
      message: expect.stringContaining('frozen.json'),
    });
    for (const file of ['config.json', 'manifest.json']) {
      await cp(at('run'), at(`no-${file}`), { recursive: true });
      await writeFile(path.join(at(`no-${file}`), file), 'null');
      await expect(freeze(at(`no-${file}`), at('never'))).rejects.toMatchObject({
        code: 'bundle-invalid',
        message: expect.stringContaining(file),
      });
    }
  });

  test('holds the weights of a representation alone', async () => {
    await cp(at('run'), at('more'), { recursive: true });
    const stranger = { shape: [1], data: Float32Array.of(1) };
    const { weights } = await freeze(at('run'), at('second'));
    const more = writeSafetensors({ ...weights, 'vocabulary/words': stranger });
    await writeFile(at('more/weights.safetensors'), more);
    await expect(freeze(at('more'), at('third'))).rejects.toMatchObject({ code: 'bundle-invalid' });
  });

  test('never takes the place of another', async () => {
    await mkdir(at('taken'));
    await expect(freeze(at('run'), at('taken'))).rejects.toMatchObject({ code: 'file-exists' });
  });
});

test('every representation that the repository keeps loads, and its digests match', async () => {
  const kept = path.join(ROOT, 'study/frozen');
  const entries = await readdir(kept, { withFileTypes: true });
  for (const entry of entries.filter((each) => each.isDirectory())) {
    const { fields } = await openFrozen(path.join(kept, entry.name));
    expect(fields.name).toBe(entry.name);
    expect(fields.kind).toBe('representation');
  }
});

describe('a representation that is ready', () => {
  const ready = path.join(ROOT, 'representations/en');

  test("is read as a frozen one, by its publisher's key", async () => {
    const { fields, weights, signed } = await openFrozen(ready);
    expect([fields.name, fields.kind, signed]).toEqual([
      'english-certified',
      'representation',
      true,
    ]);
    expect(Object.keys(weights).every((name) => name.startsWith('representation/'))).toBe(true);
    const { representation } = representedBy('en', fields);
    const opened = await openRepresentation(ready, fields.embeddings);
    expect(opened.config).toEqual(representation);
    opened.dispose();
  });

  test('is known by its bundle, and refused where that is changed', async () => {
    await cp(ready, at('ready'), { recursive: true });
    expect(await frozenDigest(at('ready'))).toBe(await frozenDigest(ready));
    await appendFile(at('ready/bundle/manifest.json'), ' ');
    await expect(frozenDigest(at('ready'))).rejects.toMatchObject({ code: 'bundle-digest' });
  });
});
