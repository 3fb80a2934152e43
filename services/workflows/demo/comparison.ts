import type { Evaluation } from '../../../models/evaluation/evaluate.js';
import { bytesText } from '../../../platform/amount-text.js';
import { meanScore, type Scores, scoreBaseline, scoresOf } from './baselines.js';
import type { Shared } from './institution.js';
import { trainBesideOwn } from './member.js';
import type { DemoSetting } from './setting.js';
import type { Row } from './table.js';

/** What came of the pool. */
interface Pooled {
  /** Of its de-identifier. */
  readonly pooled: Evaluation;
  readonly snapshot: string;
  readonly shared: readonly Shared[];
}

/** Every way of training on the institutions' notes, scored on the same unseen notes. */
export async function compareTrainings(
  setting: DemoSetting,
  { pooled, snapshot, shared }: Pooled,
): Promise<Row[]> {
  const { entities, parts } = setting;
  const { institutions, provider } = parts;
  const published = await scoreBaseline('raw', provider, setting, 'public notes');
  const together = institutions.flatMap(({ notes }) => [...notes]);
  const central = await scoreBaseline('raw', together, setting, 'centralised');
  const alone: Scores[] = [];
  for (const { name, notes } of institutions) {
    alone.push(await scoreBaseline('raw', notes, setting, name));
  }
  const pseudonymised = await scoreBaseline('pseudonymized', together, setting, 'pseudonymised');
  const member = institutions[0];
  const own = [...member.notes, ...provider];
  const besidePublic = await scoreBaseline('raw', own, setting, `${member.name} and public notes`);
  const besidePool = scoresOf(await trainBesideOwn(member, snapshot, setting));
  const bytes = shared.reduce((sum, each) => sum + each.bytes, 0);
  const vectors = `vectors, ${bytesText(bytes)}${entities === 'replace' ? ', of other names' : ''}`;
  return [
    { name: 'non-private, centralised', shared: 'every note, in clear', scores: central },
    ...institutions.map(({ name, notes }, i) => ({
      name: `${name} alone (${notes.length} notes)`,
      shared: 'nothing',
      scores: alone[i],
    })),
    {
      name: `the provider’s public notes alone (${provider.length})`,
      shared: 'nothing',
      scores: published,
    },
    { name: 'institutions alone, mean', shared: 'nothing', scores: meanScore(alone) },
    { name: 'pseudonymised, centralised', shared: 'text, names swapped', scores: pseudonymised },
    {
      name: 'pooled private (Tacet)',
      shared: vectors,
      scores: scoresOf(pooled),
    },
    {
      name: `${member.name}: its own notes and the public ones`,
      shared: 'nothing',
      scores: besidePublic,
    },
    { name: '... and the pool’s vectors', shared: vectors, scores: besidePool },
  ];
}
