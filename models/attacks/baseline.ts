import type { View } from '../networks/view.js';
import type { Attack, AttackReport } from './attack.js';
import { noiseOff, pureNoise, rawEmbeddings } from './baseline-views.js';
import { twinDistances } from './distances.js';

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
    words: 'with vectors that hold nothing, so from labels, casing and length alone',
  },
} as const satisfies Record<
  string,
  { view: (view: View) => View; role: AttackReport['role']; words: string }
>;

export type BaselineName = keyof typeof BASELINES;

/** The same attack where it must succeed (upper) or can only use what is shared in clear (lower). */
export function baseline(attack: Attack, name: BaselineName): Attack {
  const { view, role, words } = BASELINES[name];
  return {
    ...attack,
    name: `${attack.name}-${name}`,
    weight: attack.weight / 4,
    reports: 0,
    async run(target, context) {
      const seen = { ...target, representation: view(target.representation) };
      const twins = context.trials.map(({ example, twin }) => ({ ids: example.ids, twin }));
      const random = context.random.fork('distances');
      const distances = await twinDistances(seen, twins, 1, random, context);
      const reports = await attack.run(seen, { ...context, distances, run: undefined });
      return reports.map((report) => ({
        ...report,
        name: `${report.name}-${name}`,
        role,
        description: `${report.description}, ${words}`,
      }));
    },
  };
}
