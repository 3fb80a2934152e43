import { generateKeyPairSync } from 'node:crypto';
import { writeAudit } from '../models/attacks/report/audit-file.js';
import type { AuditReport } from '../models/attacks/report/audit-report.js';
import { type Manifest, noiseLevel } from '../models/bundle/manifest.js';
import { statedScore } from '../models/bundle/stated-scores.js';
import type { Store } from '../pool-store/store.js';
import { sha256Hex } from '../proto/digest.js';
import { sign } from '../proto/dsse.js';
import { rawPublicKey } from '../proto/ed25519-key.js';
import { AUDIT_TYPE } from '../proto/publication.js';

const NAMES = 2000;
const LABELS = 56;
const LANGUAGES = ['en', 'es', 'de'];

/** Publishes models without files under invented names, every second one with an audit. */
export async function fillRegistry(store: Store, models: number): Promise<void> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const { keyId } = await store.identities.request('auditor', rawPublicKey(publicKey));
  await store.identities.approve(keyId);
  await store.catalog.write(async (transaction) => {
    for (let i = 0; i < models; i++) {
      const manifest = manifestOf(i);
      const { name, version, kind, training } = manifest;
      const digest = sha256Hex(`${i}`);
      const published = new Date().toISOString();
      await transaction
        .insertInto('models')
        .values({
          ...{ digest, name, version, publisher: 'provider', published, kind },
          language: `${training.language}`,
          manifest: JSON.stringify(manifest),
        })
        .execute();
      if (i % 2 === 1) continue;
      const envelope = sign(AUDIT_TYPE, writeAudit(auditOf(digest)), privateKey);
      await transaction
        .insertInto('audits')
        .values({
          ...{ id: sha256Hex(Buffer.from(envelope.payload, 'base64')), model: digest },
          ...{ key_id: keyId, attached: published, envelope: JSON.stringify(envelope) },
        })
        .execute();
    }
  });
}

function manifestOf(i: number): Manifest {
  const level = noiseLevel(new Float32Array(50).fill(0.3));
  return {
    ...{ name: `made-${i % NAMES}`, version: `1.${Math.floor(i / NAMES)}.0` },
    ...{ kind: 'representation', tokenisation: 'tacet-aggressive-1' },
    labelScheme: {
      ...{ name: 'invented', version: '1', digest: 'a'.repeat(64) },
      labels: ['O', ...Array.from({ length: LABELS }, (_, k) => `B-TYPE_${k}`)],
    },
    embeddings: { identity: 'e'.repeat(64), dimension: 100, name: 'wink' },
    architecture: {
      representation: {
        ...{ embeddingDimension: 100, units: 128, dimension: 50 },
        ...{ initialInputStddev: 0.1, initialOutputStddev: 0.1 },
      },
    },
    training: {
      ...{ objective: 'certified', corpus: 'invented', documents: 450, seed: 1 },
      language: LANGUAGES[i % LANGUAGES.length] as string,
    },
    noise: { inputStddev: level, outputStddev: level },
    scores: {
      ...statedScore('binary token F1, validation notes', around(0.94)),
      ...statedScore('limit of every attack on pairs, validation notes', around(0.54)),
    },
    created: '2030-01-01T00:00:00.000Z',
    files: { 'weights.safetensors': 'b'.repeat(64), 'MODEL_CARD.md': 'c'.repeat(64) },
  };
}

function auditOf(model: string): AuditReport {
  const bound = { documents: 40, bound: around(0.54), median: 0.52, percentile95: 0.7, maximum: 1 };
  return {
    ...{ format: 'tacet-audit-7', model, attacked: 'bundle', seed: 1, candidates: 500 },
    ...{ documents: { train: 54, validation: 9, test: 27 }, comparisons: 1 },
    verdict: 'Names can be attacked.',
    attacks: [
      {
        ...{ name: 'known-noise-word', attack: 'known-noise-word', family: 'likelihood' },
        ...{ description: 'knows the noise', task: 'name the word', role: 'attack' },
        ...{ trials: 400, documents: 40, success: around(0.2), chance: 0.01, gain: around(0.19) },
        ...{ advantage: 0.19, limit: null, topTen: null, pairs: null, slices: [], curves: [] },
        ...{ settings: {}, shortened: null },
      },
    ],
    baselines: [],
    certified: {
      ...{ ...bound, pairs: 400, draws: 16, percentile99: 0.9, shareOver60: 0.1, slices: [] },
      releases: [{ releases: 1, bound: 0.54, interval: [0.53, 0.55] }],
    },
    entities: { ...bound, entities: 90, meanSentences: 1.5 },
    ...{ worstCase: null, contradictions: [], leftOut: [], notTried: [] },
  };
}

function around(value: number) {
  const interval: [number, number] = [value - 0.01, value + 0.01];
  return { value, interval, corrected: interval };
}
