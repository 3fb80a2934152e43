import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createBundle } from '../../../models/bundle/bundle.js';
import { bundleBill } from '../../../models/bundle/bundle-bill.js';
import { type VerifiedFiles, verifyBundle } from '../../../models/bundle/verify.js';
import { manifestFields, tinyWeights } from './manifest-fields.js';

let root: string;
let verified: VerifiedFiles;
const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const scores = {
  'binary token F1': 0.91,
  'binary token F1, 95 % interval from': 0.9,
  'binary token F1, 95 % interval to': 0.92,
};

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'tacet-bill-'));
  const fields = { ...manifestFields(), scores };
  await createBundle(join(root, 'bundle'), { fields, weights: tinyWeights() }, privateKey);
  verified = await verifyBundle(join(root, 'bundle'), { trustedKeys: [publicKey] });
});
afterAll(() => rm(root, { recursive: true }));

test('a bill of materials is CycloneDX 1.6 by its own schema', async () => {
  const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
  expect(await validator.validate(JSON.stringify(bundleBill(verified)))).toBeNull();
});

test('it names the model, its word vectors and every file by digest', () => {
  const { metadata, components, dependencies } = bundleBill(verified);
  expect(metadata.component.hashes).toEqual([{ alg: 'SHA-256', content: verified.digest }]);
  const contents = components.flatMap((each) => ('hashes' in each ? each.hashes : []));
  const { embeddings, files } = verified.manifest;
  for (const digest of [embeddings.identity, ...Object.values(files)])
    expect(contents).toContainEqual({ alg: 'SHA-256', content: digest });
  const known = components.map((each) => each['bom-ref']);
  expect([...(dependencies[0]?.dependsOn ?? [])].sort()).toEqual(known.sort());
});

test('its model card has the scores with their intervals', () => {
  const { quantitativeAnalysis } = bundleBill(verified).metadata.component.modelCard;
  expect(quantitativeAnalysis.performanceMetrics).toEqual([
    {
      type: 'binary token F1',
      value: '0.91',
      confidenceInterval: { lowerBound: '0.9', upperBound: '0.92' },
    },
  ]);
});

test('it is the same of the same bundle', () => {
  expect(bundleBill(verified)).toEqual(bundleBill(verified));
});

test('the model card begins with what hubs read: every field that they ask for, as JSON that is YAML', async () => {
  const card = await readFile(join(root, 'bundle/MODEL_CARD.md'), 'utf8');
  const [, front = ''] = /^---\n([\s\S]*?)\n---\n/.exec(card) ?? [];
  const fields = Object.fromEntries(
    front.split('\n').map((line) => {
      const [, key = '', value = ''] = /^([a-z_-]+): (.*)$/.exec(line) ?? [];
      return [key, JSON.parse(value)];
    }),
  );
  expect(fields.library_name).toBe('tacet');
  const [model] = fields['model-index'];
  expect(Object.keys(model)).toEqual(['name', 'results']);
  for (const { task, dataset, metrics } of model.results) {
    expect(task.type).toBe('token-classification');
    expect([typeof dataset.type, typeof dataset.name]).toEqual(['string', 'string']);
    expect(metrics).toEqual([{ type: 'binary-token-f1', name: 'binary token F1', value: 0.91 }]);
  }
});
