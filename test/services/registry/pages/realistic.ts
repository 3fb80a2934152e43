import type { AuditReport } from '../../../../models/attacks/report/audit-report.js';
import type { ManifestFields } from '../../../../models/bundle/manifest.js';
import { statedScore } from '../../../../models/bundle/stated-scores.js';
import { type TrainingCurve, trainingCurve } from '../../../../models/bundle/training-curve.js';
import { sampleAttack, sampleAudit } from '../../../models/attacks/sample-audit.js';
import { manifestFields } from '../../../models/bundle/manifest-fields.js';

const HEADING = {
  ...{ publisherKeys: ['cd'.repeat(32)], trainedOn: 'public-discharge-letters', language: 'en' },
  ...{ corpus: 'ward-4-held-out', created: '2026-03-04T05:06:07.000Z' },
};

const around = (value: number) => ({ value, interval: [value - 0.01, value + 0.01] }) as const;

/** What a publisher states of a representation that it trained, certified, on so many notes. */
export function statedRepresentation(
  name: string,
  version: string,
  { f1 = 0.94, limit = 0.54, language = 'en', documents = 450 } = {},
): ManifestFields {
  return {
    ...manifestFields(),
    ...{ name, version },
    embeddings: { ...manifestFields().embeddings, name: 'wink' },
    training: {
      ...{ objective: 'certified', corpus: 'public-discharge-letters', language, documents },
      ...{ neighbours: 500, 'lambda of the certified objective': 0.1, seed: 1 },
    },
    scores: {
      'certified validation loss': 0.0241,
      ...statedScore('binary token F1, validation notes', around(f1)),
      ...statedScore('binary token precision, validation notes', around(f1 + 0.01)),
      ...statedScore('binary token recall, validation notes', around(f1 - 0.02)),
      ...statedScore('limit of every attack on pairs, validation notes', around(limit)),
    },
  };
}

/** The same of a pipeline that reads the text itself. */
export function statedPipeline(name: string, version: string): ManifestFields {
  const { noise: _, architecture: __, ...fields } = statedRepresentation(name, version);
  return {
    ...fields,
    kind: 'pipeline',
    architecture: {
      deidentifier: {
        ...{ inputDimension: 4, labels: 3, units: 8, layers: 2 },
        ...{ inputDropout: 0.1, recurrentDropout: 0.1, outputDropout: 0.1 },
      },
    },
    training: {
      objective: 'pooled',
      snapshot: 'snapshot-7',
      language: 'es',
      sentences: 8120,
      seed: 3,
    },
    scores: statedScore('binary token F1, validation notes', around(0.97)),
  };
}

/** A training in three stages whose losses fall. */
export function realisticCurve(): TrainingCurve {
  const stages = { P1: 8, P2: 5, certified: 12 };
  const epochs = Object.entries(stages).flatMap(([stage, count]) =>
    Array.from({ length: count }, (_, i) => {
      const fallen = 0.4 / (i + 1) + 0.05;
      const validation: Record<string, number> =
        stage === 'P2'
          ? { l_adv: 0.6 + fallen / 4, accuracy: 0.55 - fallen / 10 }
          : { l_deid: fallen, monitor: fallen };
      return { stage, epoch: i + 1, train: { l_deid: fallen / 2 }, validation };
    }),
  );
  return trainingCurve(epochs);
}

/** An audit with attacks that speak of names and of the rest of the text, and limits by kind of line. */
export function realisticAudit(model: string, fields: Partial<AuditReport> = {}): AuditReport {
  const report = sampleAudit({ model });
  const line = (value: string, of: number) => ({
    ...{ by: 'line', value, trials: 120 },
    success: { value: of, interval: [of - 0.02, of + 0.02] as [number, number] },
  });
  return {
    ...report,
    heading: { ...HEADING, name: 'letters', version: '2.0.0' },
    candidates: 500,
    comparisons: 4,
    attacks: [
      sampleAttack(0.66, { name: 'known-noise-twins', attack: 'known-noise-twins' }),
      sampleAttack(0.51, {
        name: 'fresh-adversary-both',
        attack: 'fresh-adversary',
        family: 'adversary',
      }),
      sampleAttack(0.33, {
        ...{ name: 'lookup-table', attack: 'lookup-table', family: 'lookup' },
        ...{ task: 'find the sentence', chance: 0.08, pairs: null, limit: null },
        gain: { value: 0.25, interval: [0.2, 0.3], corrected: [0.15, 0.35] },
      }),
      sampleAttack(0.21, {
        ...{ name: 'reading-known-sentence', attack: 'reading-known-sentence', family: 'reading' },
        ...{ task: 'read a word of a known sentence', chance: 0.2, pairs: null, limit: null },
        gain: { value: 0.01, interval: [-0.02, 0.04], corrected: [-0.05, 0.07] },
      }),
    ],
    certified: { ...report.certified, slices: [line('form', 0.519), line('narrative', 0.631)] },
    ...fields,
  };
}
