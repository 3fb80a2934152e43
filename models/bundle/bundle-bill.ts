import { sha256Hex } from '../../proto/digest.js';
import type { Manifest } from './manifest.js';
import { statedScores } from './stated-scores.js';
import { USES } from './uses.js';
import type { VerifiedFiles } from './verify.js';

/**
 * What a model is made of, as a CycloneDX 1.6 bill of materials of machine learning: the model with its card, its
 * files, its word vectors by digest, and what it was trained on. It says the same of the same bundle.
 *
 * Source: https://cyclonedx.org/docs/1.6/json/
 */
export function bundleBill({ manifest, digest, files }: Omit<VerifiedFiles, 'keyIds'>) {
  const { name, version, created, embeddings, training } = manifest;
  const model = `model:${digest}`;
  const words = `embeddings:${embeddings.identity}`;
  const data = `data:${name}@${version}`;
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(digest)}`,
    version: 1,
    metadata: {
      timestamp: created,
      component: {
        type: 'machine-learning-model',
        'bom-ref': model,
        name,
        version,
        description: USES[manifest.kind].does,
        hashes: hashesOf(digest),
        modelCard: modelCardOf(manifest, data),
      },
    },
    components: [
      {
        type: 'data',
        'bom-ref': words,
        name: embeddings.name,
        description: `word vectors of ${embeddings.dimension} dimensions`,
        hashes: hashesOf(embeddings.identity),
        data: [{ type: 'dataset', name: embeddings.name }],
      },
      {
        type: 'data',
        'bom-ref': data,
        name: dataNameOf(manifest),
        description: 'what the model was trained on, as its publisher states it',
        data: [{ type: 'dataset', name: dataNameOf(manifest) }],
        properties: propertiesOf(training),
      },
      ...[...files].map(([file, bytes]) => ({
        type: 'file',
        'bom-ref': `file:${file}`,
        name: file,
        hashes: hashesOf(sha256Hex(bytes)),
      })),
    ],
    dependencies: [
      { ref: model, dependsOn: [words, data, ...[...files.keys()].map((file) => `file:${file}`)] },
    ],
  };
}

function modelCardOf(manifest: Manifest, data: string) {
  const { kind, architecture, labelScheme, scores } = manifest;
  const { intended, notFor } = USES[kind];
  const parts = Object.keys(architecture).join(' and ');
  return {
    modelParameters: {
      approach: { type: 'supervised' },
      task: kind === 'pipeline' ? 'token classification' : 'private representation of text',
      architectureFamily: 'BiLSTM',
      modelArchitecture: parts,
      datasets: [{ ref: data }],
      inputs: [{ format: 'word vectors of tokens' }],
      outputs: [{ format: kind === 'pipeline' ? `labels of ${labelScheme.name}` : 'vectors' }],
    },
    quantitativeAnalysis: {
      performanceMetrics: statedScores(scores).map(({ name, value, interval }) => ({
        type: name,
        value: String(value),
        ...(interval && {
          confidenceInterval: {
            lowerBound: String(interval[0]),
            upperBound: String(interval[1]),
          },
        }),
      })),
    },
    considerations: { useCases: [intended], technicalLimitations: [...notFor] },
  };
}

function dataNameOf({ training, name }: Manifest): string {
  const { corpus, snapshot } = training;
  if (corpus !== undefined) return String(corpus);
  return snapshot === undefined ? `training data of ${name}` : `snapshot ${snapshot}`;
}

function propertiesOf(training: Manifest['training']) {
  return Object.entries(training).map(([name, value]) => ({
    name: `tacet:training:${name}`,
    value: String(value),
  }));
}

function hashesOf(sha256: string) {
  return [{ alg: 'SHA-256', content: sha256 }];
}

/** A UUID of a digest (RFC 9562, section 5.8), so that one bundle has one serial number. */
function uuidOf(digest: string): string {
  const hex = `${digest.slice(0, 12)}8${digest.slice(13, 16)}a${digest.slice(17, 32)}`;
  return [0, 8, 12, 16, 20].map((from, i, all) => hex.slice(from, all[i + 1] ?? 32)).join('-');
}
