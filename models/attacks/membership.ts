import { Probe } from '../networks/probe.js';
import type { Random } from '../tensor/random.js';
import * as tf from '../tensor/tf.js';
import type { TextExample } from '../training/examples.js';
import { pairSource } from '../training/pairs.js';
import { runStage, type StageContext } from '../training/stage.js';
import type { Attack, AttackReport } from './attack.js';
import { attackReport, shortenedLearning } from './attack-report.js';
import { twinDistances } from './distances.js';
import type { LearningLimits } from './learned-adversary.js';
import { isRight, pairStatistics } from './pair-statistics.js';
import { moved, someCandidates } from './pair-trials.js';
import { classScores, type ProbeData, probeStage } from './probe-stage.js';
import type { ScoredPair } from './roc.js';
import type { AuditTarget } from './target.js';
import { TraitReader, type Traits } from './traits.js';

export interface MembershipOptions {
  readonly limits?: LearningLimits;
  /** Sentences of each kind, at most. */
  readonly sentences?: number;
}

const LIMITS: LearningLimits = { maxEpochs: 60, patience: 8 };
const TWINS = 8;
const LEAST_SENTENCES = 40;

/** As many members as strangers are drawn. */
const COIN = 0.5;

/** A sentence with what the model shows of it, and of what anyone sees without the model. */
interface Suspect {
  readonly example: TextExample;
  readonly member: boolean;
  readonly document: number;
  readonly statistics: readonly number[];
  readonly plain: readonly number[];
}

/** One attacker: the statistics that it uses. */
type Sight = 'statistics' | 'plain';

interface TrainedProbes {
  readonly attackers: readonly {
    readonly probe: Probe;
    readonly data: ProbeData<Suspect>;
    readonly epochs: number;
    readonly bestEpoch: number;
  }[];
  readonly test: readonly Suspect[];
}

interface Recognised {
  readonly scored: readonly (ScoredPair & { readonly traits: Traits; readonly guessed: number })[];
  readonly rest: Pick<AttackReport, 'settings' | 'shortened'>;
}

/**
 * Membership: whether the provider trained on a sentence that the attacker holds. Training pushes a
 * sentence and its moved twins together, so the attacker, who has the bundle, computes how far apart
 * f puts them, Δ² over several twins, and learns on sentences whose membership it knows how members
 * differ. Guessing is what a like attacker learns without the model, from lengths, PHI and how common
 * the words are: notes of two sources differ in these too.
 */
export function membership({
  limits = LIMITS,
  sentences = 600,
}: MembershipOptions = {}): Attack<TrainedProbes, Recognised> {
  return {
    name: 'membership',
    minutes: 0.4,
    reports: 1,
    obstacle({ members, test, candidates }) {
      if (members === undefined)
        return 'whether a sentence was in the provider’s training notes (membership): they were not given';
      const few = [members, test].some(
        (each) => pairSource(each, candidates).positions.size < LEAST_SENTENCES,
      );
      return few
        ? `whether a sentence was in the provider’s training notes (membership): fewer than ${LEAST_SENTENCES} sentences with PHI that moves on a side`
        : undefined;
    },
    async prepare(target, context) {
      const { train, validation, test } = await suspects(target, sentences, context);
      const attackers = [];
      for (const sight of ['statistics', 'plain'] as const) {
        const data = dataOf(sight, train, validation);
        const probe = new Probe(train[0][sight].length, 2, context.random.fork(`probe-${sight}`));
        const stage = probeStage(`membership-${sight}`, probe, data, limits);
        attackers.push({ probe, data, ...(await runStage(stage, context)) });
      }
      return { attackers, test };
    },
    async run(target, { random }, { attackers, test }) {
      const traits = new TraitReader(target);
      const [knowing, plain] = attackers.map(({ probe, data }) => {
        const scores = classScores(probe, data, test, random.fork('measure'));
        probe.parameters.dispose();
        return scores.map(([stranger, member]) => member - stranger);
      });
      const guesses = test.map(({ member }, i) => Number(plain[i] >= 0 === member));
      const worse = mean(guesses) < COIN;
      const scored = test.map(({ example, member, document }, i) => ({
        documentIndex: document,
        score: knowing[i],
        real: member,
        guessed: worse ? COIN : guesses[i],
        traits: traits.of(
          example,
          example.labels.findIndex((label) => label > 0),
        ),
      }));
      const [{ epochs, bestEpoch }] = attackers;
      const settings = { twins: TWINS, sentences: test.length, epochs, bestEpoch, ...limits };
      return {
        scored,
        rest: { settings, shortened: shortenedLearning({ epochs, bestEpoch }, limits) },
      };
    },
    report({ scored, rest }, context) {
      const heading = {
        ...rest,
        name: 'membership',
        task: 'recognise training notes',
        description:
          'holds a sentence and the model, and tells by how far the model puts it from its moved twins whether the provider trained on it; guessing is by lengths and common words alone',
        pairs: pairStatistics(scored),
      } as const;
      const outcomes = scored.map((each) => ({ ...each, success: isRight(each) }));
      return [attackReport(heading, outcomes, 'tried', context)];
    },
  };
}

/** Members and strangers, as many of each, split by document: half to learn from, half to judge. */
async function suspects(
  target: AuditTarget,
  most: number,
  context: StageContext,
): Promise<Record<'train' | 'validation' | 'test', Suspect[]>> {
  const random = context.random.fork('suspects');
  const drawn = ([target.members ?? [], target.test] as const).map((examples) => {
    const movable = [...pairSource(examples, target.candidates).positions.keys()];
    random.shuffle(movable);
    return movable;
  });
  const count = Math.min(most, ...drawn.map(({ length }) => length));
  const [members, strangers] = await Promise.all(
    drawn.map((examples, i) =>
      described(target, examples.slice(0, count), i === 0, random, context),
    ),
  );
  const part = (from: number, to: number) => (each: Suspect) => {
    const place = each.example.documentIndex % PARTS;
    return place >= from && place < to;
  };
  const all = [...members, ...strangers];
  const [train, validation, test] = [part(0, 4), part(4, 5), part(5, PARTS)].map((is) =>
    all.filter(is),
  );
  return { train, validation, test };
}

/** Documents are dealt out over so many parts: four to learn from, one to stop by, five to judge. */
const PARTS = 10;

async function described(
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
      return { ids: example.ids, twin: moved(example.ids, position, id) };
    }),
  );
  const distances = await twinDistances(target, twins, 1, random, context);
  const counts = wordCounts(target.train);
  return examples.map((example, i) => {
    const own = distances.slice(i * TWINS, (i + 1) * TWINS).map(([squared]) => Math.log1p(squared));
    const plain = plainStatistics(example, counts);
    const statistics = [mean(own), Math.max(...own), Math.min(...own), ...plain];
    const document = 2 * example.documentIndex + Number(member);
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
  return [Math.log(ids.length), phi / ids.length, mean(common), Math.min(...common)];
}

function wordCounts(examples: readonly TextExample[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { ids } of examples) for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

/** Statistics as the probe reads them: each with mean 0 and variance 1 over the training part. */
function dataOf(
  sight: Sight,
  train: readonly Suspect[],
  validation: readonly Suspect[],
): ProbeData<Suspect> {
  const width = train[0][sight].length;
  const columns = Array.from({ length: width }, (_, at) => train.map((each) => each[sight][at]));
  const centres = columns.map(mean);
  const scales = columns.map(
    (column, at) => Math.sqrt(mean(column.map((value) => (value - centres[at]) ** 2))) || 1,
  );
  return {
    train,
    validation,
    classOf: ({ member }) => Number(member),
    vectors: (suspects) =>
      tf.tensor2d(
        suspects.flatMap((each) =>
          each[sight].map((value, at) => (value - centres[at]) / scales[at]),
        ),
        [suspects.length, width],
      ),
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
