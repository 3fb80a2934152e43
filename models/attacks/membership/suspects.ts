import { meanOf } from '../../statistics/mean-of.js';
import type { Random } from '../../tensor/random.js';
import type { TextExample } from '../../training/data/examples.js';
import { pairSource } from '../../training/data/pairs.js';
import type { StageContext } from '../../training/run/stage-context.js';
import { twinDistances } from '../distances.js';
import { someCandidates, withWord } from '../likelihood/pair-trials.js';
import type { AuditTarget } from '../target.js';

/** Moved twins of a sentence that the statistics are over. */
export const TWINS = 8;

/** A sentence, with statistics that need the model and plain ones that do not. */
export interface Suspect {
  readonly example: TextExample;
  readonly member: boolean;
  /** A number that sentences share whose documents belong together. */
  readonly document: number;
  readonly statistics: readonly number[];
  readonly plain: readonly number[];
}

/**
 * Members and strangers, as many of each, half to learn from, half to judge: documents that belong together are never
 * parted.
 */
export async function suspects(
  target: AuditTarget,
  most: number,
  context: StageContext,
): Promise<Record<SuspectPart, Suspect[]>> {
  const random = context.random.fork('suspects');
  const sides = [
    { own: target.members ?? [], member: true, random: random.fork('members') },
    { own: target.test, member: false, random: random.fork('strangers') },
  ];
  const drawn = sides.map(({ own, random }) => {
    const movable = [...pairSource(own, target.candidates).positions.keys()];
    random.shuffle(movable);
    return movable;
  });
  const count = Math.min(most, ...drawn.map(({ length }) => length));
  const [members, strangers] = await Promise.all(
    sides.map(({ member, random }, i) =>
      suspectsOf(target, (drawn[i] ?? []).slice(0, count), member, random, context),
    ),
  );
  const all = [...members, ...strangers];
  const [train, validation, test] = SUSPECT_PARTS.map((part) =>
    all.filter(({ example, member }) => partOf(target, example, member) === part),
  );
  return { train, validation, test };
}

/** To learn from, to stop by, to judge. */
export const SUSPECT_PARTS = ['train', 'validation', 'test'] as const;
type SuspectPart = (typeof SUSPECT_PARTS)[number];

/** Of ten origins of a side four are of the first part, one of the second, and five of the third. */
export function partOf(
  target: Pick<AuditTarget, 'origins' | 'memberOrigins'>,
  example: Pick<TextExample, 'documentIndex'>,
  member: boolean,
): SuspectPart {
  const place = originOf(target, example, member) % 10;
  if (place < 4) return 'train';
  return place < 5 ? 'validation' : 'test';
}

/** A number that those share whose documents belong together, of the members or of the strangers. */
function originOf(
  { origins, memberOrigins }: Pick<AuditTarget, 'origins' | 'memberOrigins'>,
  { documentIndex }: Pick<TextExample, 'documentIndex'>,
  member: boolean,
): number {
  return (member ? memberOrigins : origins)?.get(documentIndex) ?? documentIndex;
}

async function suspectsOf(
  target: AuditTarget,
  examples: readonly TextExample[],
  member: boolean,
  random: Random,
  context: StageContext,
): Promise<Suspect[]> {
  const { positions } = pairSource(examples, target.candidates);
  const twins = examples.flatMap((example) =>
    Array.from({ length: TWINS }, () => {
      const movable = positions.get(example) ?? [];
      const position = movable[random.integer(movable.length)];
      const options = someCandidates(target.candidates, example.ids[position], random);
      const id = options[random.integer(options.length)];
      return { ids: example.ids, twin: withWord(example.ids, position, id) };
    }),
  );
  const distances = await twinDistances(target, twins, 1, random, context);
  const counts = wordCounts(target.train);
  return examples.map((example, i) => {
    const own = distances.slice(i * TWINS, (i + 1) * TWINS).map(([squared]) => Math.log1p(squared));
    const plain = plainStatistics(example, counts);
    const statistics = [meanOf(own), Math.max(...own), Math.min(...own), ...plain];
    const document = 2 * originOf(target, example, member) + Number(member);
    return { example, member, document, statistics, plain };
  });
}

/** Length, share of PHI, and how common the words are in the attacker's own notes. */
function plainStatistics(
  { ids, labels }: TextExample,
  counts: ReadonlyMap<number, number>,
): number[] {
  const common = Array.from(ids, (id) => Math.log1p(counts.get(id) ?? 0));
  const phi = labels.filter((label) => label > 0).length;
  return [Math.log(ids.length), phi / ids.length, meanOf(common), Math.min(...common)];
}

function wordCounts(examples: readonly TextExample[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { ids } of examples) for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}
