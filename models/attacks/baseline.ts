import type { View } from '../networks/view.js';
import { type Attack, type AttackContext, type AttackReport, conduct } from './attack.js';
import { noiseOff, pureNoise, rawEmbeddings } from './baseline-views.js';
import { twinDistances } from './distances.js';
import type { AuditTarget } from './target.js';

const BASELINES = {
  'noise-off': { view: noiseOff, role: 'upper baseline', words: 'with the noise switched off' },
  'raw-embeddings': {
    view: rawEmbeddings,
    role: 'upper baseline',
    words: 'on the word vectors themselves',
  },
  'pure-noise': {
    view: pureNoise,
    role: 'lower baseline',
    words: 'with vectors that hold nothing, so from labels and length alone',
  },
} as const satisfies Record<
  string,
  { view: (view: View) => View; role: AttackReport['role']; words: string }
>;

export type BaselineName = keyof typeof BASELINES;

/**
 * An attack as a baseline: on a view where it must succeed (upper), or on one where it can use only what
 * is shared in clear (lower).
 */
export function baseline(attack: Attack, name: BaselineName): Attack<void, AttackReport[]> {
  const { view, role, words } = BASELINES[name];
  return {
    name: `${attack.name}-${name}`,
    minutes: attack.minutes / 4,
    reports: 0,
    obstacle: (target) => attack.obstacle?.(target),
    async prepare() {},
    async run(target, context) {
      const representation = view(target.representation);
      const seen = { ...target, representation, released: undefined };
      return conduct(attack, seen, await seenContext(seen, context));
    },
    report: (reports) =>
      reports.map((report) => ({
        ...report,
        name: `${report.name}-${name}`,
        role,
        description: `${report.description}, ${words}`,
      })),
  };
}

/** The context for a view: the same trials, with Δ² as this view gives it. */
async function seenContext(seen: AuditTarget, context: AttackContext): Promise<AttackContext> {
  const trials = context.trials.map((trial) => ({ ...trial, released: undefined }));
  const twins = trials.map(({ example, twin }) => ({ ids: example.ids, twin }));
  const random = context.random.fork('distances');
  const distances = await twinDistances(seen, twins, 1, random, context);
  return { ...context, trials, distances, run: undefined };
}
