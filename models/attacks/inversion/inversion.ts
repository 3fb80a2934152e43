import { setImmediate } from 'node:timers/promises';
import { isPhi } from '../../certification/move.js';
import { Decoder } from '../../networks/decoder.js';
import { documentsOf } from '../../statistics/estimate.js';
import { BATCH_SENTENCES, lengthBuckets } from '../../training/data/batch.js';
import type { TextExample } from '../../training/data/examples.js';
import { runStage } from '../../training/run/run-stage.js';
import type { StageResult } from '../../training/run/stage.js';
import type { Attack, AttackContext, AttackReport } from '../attack.js';
import { freeAfter, freeOnError, type HeldMemory } from '../held-memory.js';
import { LEARNING_LIMITS, type LearningLimits } from '../learned/learning-limits.js';
import { attackReport, type Outcome, shortenedLearning } from '../report/attack-report.js';
import { someNotes } from '../share-of-notes.js';
import { withinShare } from '../time-share.js';
import { TraitReader } from '../traits.js';
import { decoderStage, inputsOf, type Reader, ranksOf } from './decoder-stage.js';
import { Dictionary } from './dictionary.js';
import { UnigramPrior } from './unigram-prior.js';

export interface InversionOptions {
  readonly units?: number;
  readonly limits?: LearningLimits;
  /** Words that the decoder may answer with: those of PHI, then others, the most frequent ones of each. */
  readonly words?: number;
  /**
   * Notes to learn from and to be measured on, of each drawn whole by chance until they have so many sentences; by default
   * all.
   */
  readonly sentences?: number;
}

/** Two decoders that differ in one thing: the first sees the vectors, the second only what is shared in clear. */
interface TrainedInversion {
  readonly sighted: Reader;
  readonly blind: Reader;
  readonly unseen: readonly TextExample[];
  readonly rest: Pick<AttackReport, 'settings' | 'shortened'>;
}

interface InversionFound extends Pick<TrainedInversion, 'rest'> {
  readonly read: readonly ReadToken[];
}

/** How a token was read, and whether each way of guessing names it. */
interface ReadToken {
  readonly outcome: Outcome;
  readonly phi: boolean;
  readonly guesses: readonly boolean[];
}

/**
 * Inversion: a decoder learns on the attacker's own notes to read every word out of a release, with
 * the labels that are shared in clear, and is then given releases of unseen notes.
 * Guessing is what a like decoder learns without the vectors, or the commonest word for a label,
 * whichever is right more often.
 */
export function inversion({
  units = 96,
  limits = LEARNING_LIMITS,
  words = 4000,
  sentences = Number.POSITIVE_INFINITY,
}: InversionOptions = {}): Attack<TrainedInversion, InversionFound> {
  return {
    name: 'inversion',
    minutes: 2,
    reports: 2,
    async prepare(given, context) {
      const drawn = (part: 'train' | 'test') =>
        someNotes(given[part], sentences, context.random.fork(`notes-${part}`));
      const target = { ...given, train: drawn('train') };
      const unseen = drawn('test');
      const { representation, vocabulary } = target;
      const others = [...target.validation, ...unseen];
      const dictionary = new Dictionary(target.train, others, words, vocabulary);
      const vectors = dictionary.vectors(representation);
      const held: HeldMemory[] = [vectors];
      return freeOnError(held, async () => {
        const random = context.random.fork('decoder');
        const [blind, sighted] = [false, true].map((sighted): Reader => {
          const inputs = inputsOf(target, sighted);
          const config = { inputs, wordDimension: representation.inputDimension, units };
          const decoder = new Decoder(config, dictionary.prior(), random);
          held.push(decoder.parameters);
          return { target, decoder, dictionary, vectors, sighted };
        });
        const guessing = decoderStage('inversion-in-clear', blind, limits);
        const guesser = await runStage(guessing, withinShare(context, 1 / 3));
        const learned = await runStage(decoderStage('inversion', sighted, limits), context);
        const rest = restOf(learned, guesser, limits);
        const settings = {
          ...{ units, words: dictionary.size, ...rest.settings },
          notesLearnedFrom: documentsOf(target.train),
          sentencesLearnedFrom: target.train.length,
        };
        return { sighted, blind, unseen, rest: { ...rest, settings } };
      });
    },
    async run(_, context, { sighted, blind, unseen, rest }) {
      const held = [sighted.vectors, ...[sighted, blind].map(({ decoder }) => decoder.parameters)];
      const read = await freeAfter(held, () => readAll(sighted, blind, unseen, context));
      return { read, rest };
    },
    report: inversionReports,
  };
}

function restOf(learned: StageResult, guesser: StageResult, limits: LearningLimits) {
  const { epochs, bestEpoch } = learned;
  const cut = shortenedLearning(guesser, limits);
  const shortened = [shortenedLearning(learned, limits), cut && `${cut} of guessing`];
  return {
    settings: { epochs, bestEpoch, epochsOfGuessing: guesser.epochs, ...limits },
    shortened: shortened.filter((each) => each !== null).join('; ') || null,
  };
}

async function readAll(
  sighted: Reader,
  blind: Reader,
  unseen: readonly TextExample[],
  { random, signal }: AttackContext,
): Promise<ReadToken[]> {
  const { target } = sighted;
  const prior = new UnigramPrior(target.train, target.vocabulary);
  const traits = new TraitReader(target);
  const noise = random.fork('measure');
  const read: ReadToken[] = [];
  for (const batch of lengthBuckets(unseen, BATCH_SENTENCES)) {
    signal?.throwIfAborted();
    const ranks = ranksOf(sighted, batch, noise);
    const guessed = ranksOf(blind, batch, noise);
    batch.examples.forEach((example, sentence) => {
      example.ids.forEach((_, t) => {
        const token = sentence * batch.steps + t;
        const phi = isPhi(example, t);
        const outcome = {
          documentIndex: example.documentIndex,
          success: ranks[token] === 0,
          inTopTen: ranks[token] < 10,
          ...(phi && { traits: traits.of(example, t) }),
        };
        read.push({ outcome, phi, guesses: [guessed[token] === 0, prior.isRight(example, t)] });
      });
    });
    await setImmediate();
  }
  return read;
}

function inversionReports({ read, rest }: InversionFound, context: AttackContext): AttackReport[] {
  return [true, false].map((phi) => {
    const tokens = read.filter((token) => token.phi === phi);
    const way = bestGuess(tokens);
    return attackReport(
      {
        ...rest,
        name: phi ? 'inversion-phi' : 'inversion-other',
        attack: phi ? 'inversion-phi' : 'inversion-other',
        task: phi ? 'read the PHI' : 'read other words',
        description: `learns on its own notes to read words out of releases, and reads ${
          phi ? 'the PHI' : 'the other words'
        } of unseen notes; guessing is the same without the vectors`,
      },
      tokens.map(({ outcome, guesses }) => ({ ...outcome, guessed: Number(guesses[way]) })),
      'tried',
      context,
    );
  });
}

/** The way of guessing that is right most often. */
function bestGuess(tokens: readonly ReadToken[]): number {
  const rights = [0, 1].map((way) => tokens.filter(({ guesses }) => guesses[way]).length);
  return rights.indexOf(Math.max(...rights));
}
