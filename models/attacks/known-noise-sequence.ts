import { setImmediate } from 'node:timers/promises';
import type { Random } from '../tensor/random.js';
import { scoped } from '../tensor/scoped.js';
import type * as tf from '../tensor/tf.js';
import type { Attack, AttackContext, AttackReport } from './attack.js';
import { attackReport, curveOf, type Outcome, shortenedTo } from './attack-report.js';
import { beamSearch } from './beam-search.js';
import { type HiddenWords, hiddenWords } from './hidden-words.js';
import { chooseScorer, SCORER_NAMES, type Scorer } from './known-noise.js';
import { LanguagePrior } from './language-prior.js';
import { likelihoods } from './likelihoods.js';
import { shown } from './observe.js';
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

const SWEEPS = 2;

/** Options of a place that the search goes on with, by one look at each of them. */
const KEPT_BY_LIKELIHOOD = 24;
const KEPT_BY_POSTERIOR = 12;

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

/** Looks for the hidden words of one sentence. All searches share draws and what was computed. */
class Search {
  readonly #target: AuditTarget;
  readonly #hidden: HiddenWords;
  readonly #options: SearchOptions;
  readonly #released: tf.Tensor2D;
  readonly #known = new Map<string, number>();

  constructor(target: AuditTarget, hidden: HiddenWords, options: SearchOptions) {
    this.#target = target;
    this.#hidden = hidden;
    this.#options = options;
    const random = options.random.fork('release');
    this.#released = shown(target, [hidden.example], random).reshape([1, -1]);
  }

  /** By the prior alone. */
  guess(prior: LanguagePrior): readonly number[] {
    const all = this.#hidden.places.map(({ options }) => [...options.keys()]);
    const score = (fillings: readonly Choice[]) =>
      fillings.map((filling) => this.#priorOf(prior, filling));
    return beamSearch(this.#first(), all, { ...this.#options, sweeps: SWEEPS, score }).chosen;
  }

  /**
   * One look at every option of each place, the places before it filled by then: the likeliest
   * filling so far, and the options that are worth a search.
   */
  look(prior: LanguagePrior): { start: Choice; kept: Choice[] } {
    let start = this.#first();
    const kept = this.#hidden.places.map(({ options }, place) => {
      const fillings = [...options.keys()].map((option) => start.with(place, option));
      const likely = this.#likelihoods(fillings);
      const posterior = fillings.map((each, i) => likely[i] + this.#priorOf(prior, each));
      const best = bestOf(likely, KEPT_BY_LIKELIHOOD);
      start = start.with(place, best[0]);
      return [...new Set([...best, ...bestOf(posterior, KEPT_BY_POSTERIOR)])];
    });
    return { start, kept };
  }

  /** By the likelihood of the release, times the prior where there is one. */
  likeliest({ start, kept }: ReturnType<Search['look']>, prior?: LanguagePrior): Choice {
    const score = (fillings: readonly Choice[]) => {
      const likely = this.#likelihoods(fillings);
      return fillings.map((each, i) => likely[i] + (prior ? this.#priorOf(prior, each) : 0));
    };
    return beamSearch(start, kept, { ...this.#options, sweeps: SWEEPS, score }).chosen;
  }

  isRight(filling: Choice, place: number): boolean {
    const { example, places } = this.#hidden;
    const { options, position } = places[place];
    return options[filling[place]] === example.ids[position];
  }

  #first(): Choice {
    return this.#hidden.places.map(() => 0);
  }

  #filled(filling: Choice): Int32Array {
    const ids = this.#hidden.example.ids.slice();
    this.#hidden.places.forEach(({ position, options }, place) => {
      ids[position] = options[filling[place]];
    });
    return ids;
  }

  #priorOf(prior: LanguagePrior, filling: Choice): number {
    const { example, places } = this.#hidden;
    const positions = places.map(({ position }) => position);
    return prior.logProbability(this.#filled(filling), example.labels, positions);
  }

  #likelihoods(fillings: readonly Choice[]): number[] {
    const fresh = fillings.filter((filling) => !this.#known.has(filling.join()));
    if (fresh.length > 0) {
      const { representation, vocabulary } = this.#target;
      const { scorer, draws, random } = this.#options;
      const found = likelihoods(
        representation,
        vocabulary,
        fresh.map((filling) => this.#filled(filling)),
        this.#released,
        draws,
        random.fork('noise'),
      )[scorer];
      fresh.forEach((filling, i) => {
        this.#known.set(filling.join(), found[i]);
      });
    }
    return fillings.map((filling) => this.#known.get(filling.join()) ?? Number.NEGATIVE_INFINITY);
  }
}

/** An option of each place. */
type Choice = readonly number[];

interface SearchOptions {
  readonly scorer: Scorer;
  readonly draws: number;
  readonly width: number;
  readonly random: Random;
}

/** Where the highest scores are, highest first. */
function bestOf(scores: readonly number[], count: number): number[] {
  return [...scores.keys()].sort((a, b) => scores[b] - scores[a]).slice(0, count);
}

function readHidden(
  target: AuditTarget,
  hidden: HiddenWords,
  { priors }: Pick<Priors, 'priors'>,
  traits: TraitReader,
  options: SearchOptions,
): HiddenOutcome[] {
  const search = new Search(target, hidden, options);
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
        description: 'the same without a language model',
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
