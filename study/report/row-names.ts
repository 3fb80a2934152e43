/** What a figure calls a row, and what the words mean that it uses. */
import type { Row } from './row.js';

const KIND_NAMES: Readonly<Record<string, string>> = {
  raw: 'non-private',
  pseudonymized: 'pseudonymised text',
  augmented: 'non-private, with pseudonymised copies',
  adversarial: 'adversarial',
  certified: 'certified',
  dann: 'DANN',
};

export function kindName(kind: string): string {
  return KIND_NAMES[kind] ?? kind;
}

type NamedRow = Pick<Row, 'kind' | 'variant'>;

interface Setting {
  /** Of the configuration, without its section: `delayEpochs`. */
  readonly key: string;
  readonly text: string;
}

/**
 * How a row differs from the defaults. That of the certified objective from P1 alone leaves P2 out,
 * which bears on its adversary alone.
 */
export function settingsOf({ kind, variant }: NamedRow): Setting[] {
  const parts = variant.split(', ').filter((part) => part !== '');
  const isAfterP3 = parts.includes('certified.after P3');
  const isShown = (part: string) => kind !== 'certified' || isAfterP3 || !part.startsWith('P2.');
  return parts.filter(isShown).map((part) => {
    const [path, ...value] = part.split(' ');
    const key = path.split('.').at(-1) ?? path;
    if (key === 'outputNoiseFactor') return { key, text: `noise\u00a0× ${value.join(' ')}` };
    return { key, text: [key, ...value].join(' ') };
  });
}

export function nameOf(row: NamedRow): string {
  return withSettings(kindName(row.kind), settingsOf(row));
}

export function withSettings(name: string, settings: readonly Setting[]): string {
  const texts = settings.map(({ text }) => text).join(', ');
  return texts === '' ? name : `${name} (${texts})`;
}

/** By key, or by kind and key where a kind means something of its own. */
const MEANINGS: Readonly<Record<string, string>> = {
  lambda: 'lambda: the price of the greatest advantage that any adversary can have, in training',
  'adversarial lambda':
    'lambda (adversarial): the weight of how far the adversary is from guessing',
  'dann lambda': 'lambda (DANN): by how much the gradient of the adversary is reversed',
  outputNoiseFactor: 'noise\u00a0×: the noise of releases multiplied after training',
  tail: 'tail: the weight of a second price, on pairs that are wide open',
  after: 'after P3: begun from the weights of adversarial training, others from those before it',
  alone: 'alone: begun from fresh weights',
  noise: 'noise dependent: as much of it as the network finds fit for each word',
  collapsedStddev: 'collapsedStddev: how alike the answers of a collapsed adversary are',
  delayEpochs: 'delayEpochs: epochs before the adversary is resisted',
  language: 'language: that of the notes, by which their copies were drawn',
  unlabelled: 'unlabelled: text without labels that was learned on besides, by its digest',
  distance:
    'distance, adversaryEpochs, catchUpEpochs, representationRate: how the third phase is played',
};

/** What the settings in the names of some rows mean, in sentences. */
export function meaningsOf(rows: readonly NamedRow[]): string {
  const used = rows.flatMap((row) =>
    settingsOf(row).flatMap(({ key }) => MEANINGS[`${row.kind} ${key}`] ?? MEANINGS[key] ?? []),
  );
  const meanings = [...new Set(used)];
  return meanings.length === 0 ? '' : `${meanings.join('; ')}. `;
}
