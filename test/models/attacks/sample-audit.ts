import type { AttackReport } from '../../../models/attacks/attack.js';
import { ATTACK_IDS, type AttackId } from '../../../models/attacks/attack-ids.js';
import type { AuditReport } from '../../../models/attacks/report/audit-report.js';

const MARGIN = 0.03;

const estimate = (value: number, margin = MARGIN) => {
  const interval: [number, number] = [Math.max(0, value - margin), Math.min(1, value + margin)];
  const corrected: [number, number] = [
    Math.max(0, value - 2 * margin),
    Math.min(1, value + 2 * margin),
  ];
  return { value, interval, corrected };
};

const gain = (value: number) => ({
  value,
  interval: [value - 0.03, value + 0.03] as const,
  corrected: [value - 0.06, value + 0.06] as const,
});

/** An attack on pairs that is right as often as stated. */
export function sampleAttack(success: number, fields: Partial<AttackReport> = {}): AttackReport {
  return {
    name: 'sample',
    attack: 'known-noise-pair',
    family: 'likelihood',
    description: 'knows much',
    task: 'tell a pair apart',
    role: 'attack',
    trials: 400,
    documents: 40,
    success: estimate(success),
    chance: 0.5,
    gain: gain(success - 0.5),
    advantage: 2 * success - 1,
    limit: estimate(0.9),
    topTen: null,
    pairs: {
      auc: success,
      truePositivesAt1Percent: 0.01,
      truePositivesAt01Percent: 0,
      reals: 200,
      intervals: {
        auc: [success - 0.05, success],
        truePositivesAt1Percent: [0, 0.02],
        truePositivesAt01Percent: [0, 0.01],
      },
      epsilon: { epsilon: 0.5, delta: 1e-5, confidence: 0.95, thresholds: 31 },
      roc: [
        [0, 0],
        [0.01, 0.01],
        [1, 1],
      ],
    },
    slices: [
      { by: 'type', value: 'NAME', trials: 200, success: { value: 0.7, interval: [0.6, 0.8] } },
    ],
    curves: [
      {
        over: 'releases',
        points: [1, 64].map((at) => ({ at, success, interval: [0.6, 0.8], limit: 0.9 })),
      },
      {
        over: 'epochs',
        points: [1, 2].map((at) => ({ at, success, interval: [success, success], limit: null })),
      },
    ],
    settings: { draws: 16, likelihood: 'matched' },
    shortened: null,
    ...fields,
  };
}

export function sampleAudit(fields: Partial<AuditReport> = {}): AuditReport {
  return {
    format: 'tacet-audit-7',
    heading: {
      ...{ name: 'sample-model', version: '1.2.0', publisherKeys: ['cd'.repeat(32)] },
      ...{ trainedOn: 'sample-public-notes', language: 'en' },
      ...{ corpus: 'sample-held-out', created: '2026-03-04T05:06:07.000Z' },
    },
    model: 'ab'.repeat(32),
    attacked: 'bundle',
    seed: 1,
    candidates: 50,
    documents: { train: 54, validation: 9, test: 27 },
    comparisons: 1,
    verdict: 'Names can be attacked.',
    attacks: [sampleAttack(0.7)],
    baselines: [sampleAttack(0.5, { name: 'sample-pure-noise', role: 'lower baseline' })],
    certified: {
      pairs: 400,
      documents: 40,
      draws: 16,
      bound: estimate(0.9),
      median: 0.9,
      percentile95: 0.99,
      percentile99: 1,
      maximum: 1,
      shareOver60: 0.9,
      slices: [],
      releases: [{ releases: 1, bound: 0.9, interval: [0.88, 0.92] }],
    },
    entities: {
      entities: 90,
      documents: 40,
      bound: estimate(0.95),
      median: 0.96,
      percentile95: 1,
      maximum: 1,
      meanSentences: 1.5,
    },
    swaps: {
      swaps: 88,
      documents: 40,
      draws: 16,
      unmatched: 2,
      bound: estimate(0.823),
      median: 0.834,
      percentile95: 0.945,
      maximum: 0.956,
      medianDistance: 1.94,
      nearby: estimate(0.612),
    },
    neighbours: { words: 120, neighbours: 49, containing: 12.25 },
    worstCase: {
      delta: 1e-5,
      token: { distance: 20, epsilon: 280, accuracy: 1 },
      sentence: { distance: 90, epsilon: 4400, accuracy: 1, tokens: 20 },
    },
    contradictions: [],
    leftOut: ['sample: 3 of up to 50 epochs'],
    notTried: ['membership'],
    ...fields,
  };
}

/** An audit that leaves nothing out that a policy asks for; its attacks and its bound have these upper ends. */
export function completeAudit(
  { success = 0.53, bound = 0.53 }: { readonly success?: number; readonly bound?: number } = {},
  fields: Partial<AuditReport> = {},
): AuditReport {
  const attack = (
    id: AttackId,
    upper: number,
    settings: AttackReport['settings'] = {},
    name: string = id,
  ) => sampleAttack(upper - MARGIN, { name, attack: id, family: ATTACK_IDS[id], settings });
  const report = sampleAudit();
  return {
    ...report,
    candidates: 100,
    attacks: [
      attack('known-noise-pair', success),
      attack('known-noise-twins', 0.52),
      attack(
        'continued-adversary',
        0.5,
        { epochs: 21, bestEpoch: 11, maxEpochs: 50 },
        'continued-adversary-both',
      ),
      sampleAttack(0.9, {
        name: 'lookup-table',
        attack: 'lookup-table',
        family: 'lookup',
        task: 'find the sentence',
      }),
    ],
    certified: { ...report.certified, bound: estimate(bound - MARGIN) },
    contradictions: [],
    leftOut: [],
    ...fields,
  };
}
