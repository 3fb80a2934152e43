import type { AuditReport } from '../../../../models/attacks/report/audit-report.js';
import type { ManifestFields } from '../../../../models/bundle/manifest.js';
import { type TrainingCurve, trainingCurve } from '../../../../models/bundle/training-curve.js';
import { sampleAttack } from '../../../models/attacks/sample-audit.js';
import { manifestFields } from '../../../models/bundle/manifest-fields.js';
import { realisticAudit } from './realistic.js';

/** How many fields of a provider and of an auditor hold what is written into all of them. */
export const HOSTILE_FIELDS = 31;

/** A manifest that says one thing wherever a provider may write what it likes. */
export function hostileManifest(name: string, version: string, text: string): ManifestFields {
  const fields = manifestFields();
  return {
    ...fields,
    ...{ name, version, tokenisation: text },
    labelScheme: {
      ...{ name: text, version: text, labels: ['O', `B-${text}`], digest: 'a'.repeat(64) },
      ...{ types: ['NAME'], map: Object.fromEntries([[text, null]]) },
    },
    embeddings: { ...fields.embeddings, name: text },
    training: Object.fromEntries([
      ...['objective', 'corpus', 'language', 'documents', 'snapshot'].map((fact) => [fact, text]),
      [text, 'a fact of this name'],
    ]),
    scores: Object.fromEntries([
      [`binary token F1, ${text}`, 0.9],
      [`limit of every attack on pairs, ${text}`, 0.5],
      [text, 0.1],
    ]),
  };
}

/** A training curve whose stage and metrics have one name. */
export function hostileCurve(text: string): TrainingCurve {
  const called = text.slice(0, 60);
  const metrics = Object.fromEntries([
    [called, 0.5],
    [`l_${called}`, 0.7],
  ]);
  return trainingCurve([{ stage: called, epoch: 1, train: metrics, validation: metrics }]);
}

/** An audit that says one thing wherever an auditor may write what it likes. */
export function hostileAudit(model: string, text: string): AuditReport {
  const slices = [
    {
      by: text,
      value: text,
      trials: 30,
      success: { value: 0.5, interval: [0.4, 0.6] as [number, number] },
    },
  ];
  const attack = sampleAttack(0.7, {
    ...{ name: text, description: text, shortened: text, slices },
    settings: Object.fromEntries([[text, text]]),
  });
  const report = realisticAudit(model);
  return {
    ...report,
    heading: {
      ...{ name: text, version: text, trainedOn: text, language: text, corpus: text },
      ...{ publisherKeys: ['cd'.repeat(32)], created: '2026-03-04T05:06:07.000Z' },
    },
    verdict: text,
    attacks: [attack],
    baselines: [{ ...attack, role: 'upper baseline' }],
    certified: { ...report.certified, slices },
    ...{ contradictions: [text], leftOut: [text], notTried: [text] },
  };
}
