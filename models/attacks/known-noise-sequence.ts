import { setImmediate } from 'node:timers/promises';
import { scoped } from '../tensor/scoped.js';
import type { Attack, AttackContext, AttackReport } from './attack.js';
import { attackReport, curveOf, type Outcome, shortenedTo } from './attack-report.js';
import { HiddenSearch, type SearchOptions, SWEEPS } from './hidden-search.js';
import { type HiddenWords, hiddenWords } from './hidden-words.js';
import { chooseScorer, SCORER_NAMES, type Scorer } from './known-noise.js';
import { LanguagePrior } from './language-prior.js';
import { shareOfNotes } from './share-of-notes.js';
import type { AuditTarget } from './target.js';
import { TraitReader, type Traits } from './traits.js';

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
interface HiddenOutcome {
  readonly documentIndex: number;
  readonly traits: Traits;
  readonly options: number;
  readonly withoutPrior: boolean;
  /** With the prior and by the prior alone, for each share of the notes. */
  readonly withPrior: readonly boolean[];
  readonly priorAlone: readonly boolean[];
}

interface SequenceFound {
  readonly outcomes: readonly HiddenOutcome[];
  readonly sentences: number;
  readonly planned: number;
  readonly documents: readonly number[];
  readonly settings: AttackReport['settings'];
}

/**
 * The known-noise attack on whole sentences: several PHI words of a real sentence are hidden at once,
 * each among its N candidates, and the attacker looks for the words that the release is likeliest
 * under, times how likely its language model finds them. The words are those that were written, not
 * drawn ones: that is what a language model can know something of. So the same search without the
 * model and the model alone are reported beside it.
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
      const outcomes: HiddenOutcome[] = [];
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
        outcomes.push(...scoped(() => readHidden(target, hidden, { priors }, traits, own)));
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
      return { outcomes, sentences, planned: planned.length, documents, settings };
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
): HiddenOutcome[] {
  const search = new HiddenSearch(target, hidden, options);
  const looked = search.look(priors[priors.length - 1]);
  const alone = priors.map((prior) => search.guess(prior));
  const both = priors.map((prior) => search.likeliest(looked, prior));
  const vectors = search.likeliest(looked);
  const { example } = hidden;
  return hidden.places.map(({ position, options: words }, place) => ({
    documentIndex: example.documentIndex,
    traits: traits.of(example, position),
    options: words.length,
    withoutPrior: search.isRight(vectors, place),
    withPrior: both.map((filling) => search.isRight(filling, place)),
    priorAlone: alone.map((filling) => search.isRight(filling, place)),
  }));
}

function sequenceReports(
  { outcomes, sentences, planned, documents, settings }: SequenceFound,
  context: AttackContext,
): AttackReport[] {
  const task = 'name several words';
  const rest = { task, settings, shortened: shortenedTo(sentences, planned, 'sentences') } as const;
  const each = (success: (outcome: HiddenOutcome) => boolean): Outcome[] =>
    outcomes.map((outcome) => ({ ...outcome, success: success(outcome) }));
  const all = documents.length - 1;
  const byNotes = (kind: 'withPrior' | 'priorAlone') => [
    curveOf('notes', documents, (share) => each((outcome) => outcome[kind][share])),
  ];
  const uniformly = (own: readonly Outcome[]) =>
    own.map((outcome, i) => ({ ...outcome, guessed: 1 / outcomes[i].options }));
  return [
    attackReport(
      {
        ...rest,
        name: 'known-noise-sequence',
        description:
          'knows the model and all of a sentence but several PHI words, and finds them among their candidates by likelihood and a language model learnt on its own notes; guessing is the language model alone',
        curves: byNotes('withPrior'),
      },
      each(({ withPrior }) => withPrior[all]).map((outcome, i) => ({
        ...outcome,
        guessed: Number(outcomes[i].priorAlone[all]),
      })),
      'tried',
      context,
    ),
    attackReport(
      {
        ...rest,
        name: 'known-noise-sequence-without-prior',
        description:
          'knows the model and all of a sentence but several PHI words, and finds them among their candidates by likelihood alone',
      },
      uniformly(each(({ withoutPrior }) => withoutPrior)),
      'tried',
      context,
    ),
    attackReport(
      {
        ...rest,
        name: 'known-noise-sequence-prior-alone',
        role: 'lower baseline',
        description: 'the language model alone, without any vectors',
        curves: byNotes('priorAlone'),
      },
      uniformly(each(({ priorAlone }) => priorAlone[all])),
      'tried',
      context,
    ),
  ];
}
