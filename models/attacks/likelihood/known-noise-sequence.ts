import { setImmediate } from 'node:timers/promises';
import { scoped } from '../../tensor/scoped.js';
import type { Attack, AttackContext, AttackReport } from '../attack.js';
import { TraitReader, type Traits } from '../inversion/traits.js';
import { attackReport, curveOf, type Outcome, shortenedTo } from '../report/attack-report.js';
import { shareOfNotes } from '../share-of-notes.js';
import type { AuditTarget } from '../target.js';
import { HiddenSearch, type SearchOptions, SWEEPS } from './hidden-search.js';
import { drawnUniformly, type HiddenWords, hiddenWords } from './hidden-words.js';
import { chooseScorer, SCORER_NAMES, type Scorer } from './known-noise.js';
import { LanguagePrior } from './language-prior.js';

export interface SequenceOptions {
  /** Sentences to attack. */
  readonly trials?: number;
  /** Hidden words of a sentence, at most. */
  readonly words?: number;
  readonly draws?: number;
  readonly width?: number;
}

/** Shares of the attacker's notes that priors are learnt from. */
const SHARES = [1 / 8, 1 / 4, 1 / 2, 1];

interface Priors {
  readonly scorer: Scorer;
  /** Learnt from each share of the notes; the last from all of them. */
  readonly priors: readonly LanguagePrior[];
  readonly documents: readonly number[];
}

/** How one hidden word was read. */
interface ReadWord {
  readonly documentIndex: number;
  readonly traits: Traits;
  readonly options: number;
}

/** One that was written, with the prior and by the prior alone, for each share of the notes. */
interface WrittenWord extends ReadWord {
  readonly withPrior: readonly boolean[];
  readonly priorAlone: readonly boolean[];
  readonly listAlone: boolean;
}

/** One without the prior. `listAlone` where it was written; else the list says nothing of it. */
interface PlainWord extends ReadWord {
  readonly success: boolean;
  readonly listAlone?: boolean;
}

interface SequenceFound {
  readonly written: readonly WrittenWord[];
  readonly plain: readonly PlainWord[];
  readonly sentences: number;
  readonly planned: number;
  readonly documents: readonly number[];
  readonly settings: AttackReport['settings'];
}

/**
 * The known-noise attack on whole sentences: several PHI words of a real sentence are hidden at once,
 * each among its N candidates, and the attacker looks for the words that the release is likeliest
 * under, times how likely its language model finds them. There the words are those that were written:
 * that is what a language model can know something of. So the model alone is reported beside it.
 * The same search without the model is for words that were drawn uniformly from their candidates and
 * encoded anew, where one guess is as good as another; in releases that were given it is for the written
 * words, and guessing is what the lists of candidates give away.
 */
export function knownNoiseSequence({
  trials = 120,
  words = 4,
  draws = 8,
  width = 2,
}: SequenceOptions = {}): Attack<Priors, SequenceFound> {
  return {
    name: 'known-noise-sequence',
    minutes: 1.5,
    reports: 2,
    async prepare(target, { random }) {
      const shares = SHARES.map((share) => shareOfNotes(target.train, share));
      return {
        scorer: chooseScorer(target, draws, random.fork('choose')),
        priors: shares.map(({ examples }) => new LanguagePrior(examples, target.validation)),
        documents: shares.map(({ documents }) => documents),
      };
    },
    async run(target, context, { scorer, priors, documents }) {
      const { random, expired, signal, progress } = context;
      const planned = hiddenWords(target, trials, words, random.fork('hidden'));
      const traits = new TraitReader(target);
      const written: WrittenWord[] = [];
      const plain: PlainWord[] = [];
      let sentences = 0;
      for (const hidden of planned) {
        signal?.throwIfAborted();
        if (sentences > 1 && expired?.()) break;
        progress?.({
          step: 'known noise, sequences',
          done: sentences,
          total: planned.length,
          unit: 'sentences',
        });
        const own = { scorer, draws, width, random: random.fork(`trial-${sentences}`) };
        const read = scoped(() => readHidden(target, hidden, { priors }, traits, own));
        written.push(...read.written);
        plain.push(...read.plain);
        sentences += 1;
        await setImmediate();
      }
      const [uniform, label, bigram] = (priors.at(-1)?.weights ?? []).map((weight) =>
        Number(weight.toFixed(4)),
      );
      const settings = {
        words,
        draws,
        width,
        sweeps: SWEEPS,
        likelihood: SCORER_NAMES[scorer],
        prior: `bigram with labels, interpolated: ${bigram} bigram, ${label} label, ${uniform} uniform`,
      };
      return { written, plain, sentences, planned: planned.length, documents, settings };
    },
    report: sequenceReports,
  };
}

function readHidden(
  target: AuditTarget,
  hidden: HiddenWords,
  { priors }: Pick<Priors, 'priors'>,
  traits: TraitReader,
  options: SearchOptions,
): Record<'written', WrittenWord[]> & Record<'plain', PlainWord[]> {
  const search = new HiddenSearch(target, hidden, options);
  const looked = search.look(priors[priors.length - 1]);
  const alone = priors.map((prior) => search.guess(prior));
  const both = priors.map((prior) => search.likeliest(looked, prior));
  const lists = search.guessFromLists();
  const words = ({ example, places }: HiddenWords): ReadWord[] =>
    places.map(({ position, options: { length } }) => ({
      documentIndex: example.documentIndex,
      traits: traits.of(example, position),
      options: length,
    }));
  const written = words(hidden).map((word, place) => ({
    ...word,
    withPrior: both.map((filling) => search.isRight(filling, place)),
    priorAlone: alone.map((filling) => search.isRight(filling, place)),
    listAlone: search.isRight(lists, place),
  }));
  if (target.released) {
    const found = search.likeliest(looked);
    const plain = written.map((word, place) => {
      return { ...word, success: search.isRight(found, place) };
    });
    return { written, plain };
  }
  const random = options.random.fork('drawn');
  const drawn = drawnUniformly(hidden, random);
  const own = new HiddenSearch(target, drawn, { ...options, random });
  const found = own.likeliest(own.look());
  const plain = words(drawn).map((word, place) => {
    return { ...word, success: own.isRight(found, place) };
  });
  return { written, plain };
}

function sequenceReports(
  { written, plain, sentences, planned, documents, settings }: SequenceFound,
  context: AttackContext,
): AttackReport[] {
  const task = 'name several words';
  const rest = { task, settings, shortened: shortenedTo(sentences, planned, 'sentences') } as const;
  const outcomes = (
    success: (word: WrittenWord) => boolean,
    guessed: (word: WrittenWord) => number,
  ): Outcome[] =>
    written.map((word) => ({ ...word, success: success(word), guessed: guessed(word) }));
  const uniform = ({ options }: ReadWord) => 1 / options;
  const all = documents.length - 1;
  const byNotes = (kind: 'withPrior' | 'priorAlone') => [
    curveOf('notes', documents, (share) => outcomes((word) => word[kind][share], uniform)),
  ];
  const guess = bestGuess(written, all);
  return [
    attackReport(
      {
        ...rest,
        name: 'known-noise-sequence',
        attack: 'known-noise-sequence',
        description:
          'knows the model and all of a sentence but several PHI words, and finds them among their candidates by likelihood and a language model learnt on its own notes; guessing is the language model alone, or what the lists of candidates give away',
        curves: byNotes('withPrior'),
      },
      outcomes(
        ({ withPrior }) => withPrior[all],
        (word) => Number(guess(word)),
      ),
      'tried',
      context,
    ),
    attackReport(
      {
        ...rest,
        name: 'known-noise-sequence-without-prior',
        attack: 'known-noise-sequence-without-prior',
        description:
          'knows the model and all of a sentence but several PHI words, and finds them among their candidates by likelihood alone',
      },
      plain.map((word) => ({
        ...word,
        guessed: word.listAlone === undefined ? uniform(word) : Number(word.listAlone),
      })),
      'tried',
      context,
    ),
    attackReport(
      {
        ...rest,
        name: 'known-noise-sequence-prior-alone',
        attack: 'known-noise-sequence-prior-alone',
        role: 'lower baseline',
        description: 'the language model alone, without any vectors',
        curves: byNotes('priorAlone'),
      },
      outcomes(({ priorAlone }) => priorAlone[all], uniform),
      'tried',
      context,
    ),
  ];
}

/** The way of guessing without the vectors that is right most often. */
function bestGuess(words: readonly WrittenWord[], all: number): (word: WrittenWord) => boolean {
  const ways = [
    ({ priorAlone }: WrittenWord) => priorAlone[all],
    ({ listAlone }: WrittenWord) => listAlone,
  ];
  const [prior, list] = ways.map((way) => words.filter(way).length);
  return prior >= list ? ways[0] : ways[1];
}
