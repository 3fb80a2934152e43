import type { Interval } from '../statistics/bootstrap.js';
import { byOrigin } from '../text/corpus/template-id.js';
import { loadLabelScheme } from '../text/label-scheme.js';
import { tokenise } from '../text/tokeniser.js';
import { type Confused, Confusion } from './confusion.js';
import { CountColumns, type CountRow } from './count-columns.js';
import { type DocumentPair, documentCounts } from './document-counts.js';
import { HipaaView } from './hipaa-view.js';
import type { MeanScore } from './score.js';
import { scoreIntervals } from './score-intervals.js';
import { type Scores, scoredTypes, scoresOf } from './scores.js';

export interface Evaluation extends Scores {
  readonly documents: number;
  /** Documents of one origin, such as a patient or a template, count as one. */
  readonly origins: number;
  readonly tokens: number;
  /** Tokens by gold type and system type. */
  readonly confusion: readonly Confused[];
  /** The scheme of the HIPAA scores, and the types for which it has no answer. */
  readonly hipaa: { readonly scheme: string; readonly unknownTypes: readonly string[] };
  /** 95 % intervals of the binary token score over origins, see `scoreIntervals`; none where these are too few. */
  readonly intervals: Readonly<Partial<Record<keyof MeanScore, Interval>>>;
  /** The same of all `headlines`, by their names. */
  readonly headlineIntervals: Readonly<Record<string, Interval>>;
}

export interface EvaluationOptions {
  readonly seed: number;
  readonly resamples?: number;
  /** By default what the official i2b2 2014 evaluation counts. */
  readonly hipaa?: HipaaView;
}

/**
 * The counts of a system's documents, a small row each; texts are not kept. Documents may come in
 * any order: rows are used in order of their ids.
 */
export class Tally {
  readonly #rows: { readonly id: string; readonly row: CountRow }[] = [];
  readonly #confusion = new Confusion();
  #tokens = 0;

  /** Two tallies that are to be compared share both. */
  constructor(
    readonly hipaa: HipaaView,
    readonly columns: CountColumns = new CountColumns(),
  ) {}

  /**
   * `number` is that of the gold document, by which an error tells it.
   *
   * @throws TacetError `corpus-invalid` where the two texts differ.
   */
  add(pair: DocumentPair, number = this.#rows.length + 1): void {
    const { gold, system } = pair;
    const tokens = tokenise(gold.text);
    const row = this.columns.pack(documentCounts(pair, tokens, this.hipaa, number));
    this.#rows.push({ id: gold.id, row });
    this.#confusion.add(tokens, gold.spans, system.spans);
    this.#tokens += tokens.length;
  }

  /** One row of each origin: documents of one template or of one patient say the same more than once. */
  get rows(): CountRow[] {
    const ordered = [...this.#rows].sort((a, b) => (a.id < b.id ? -1 : 1));
    return byOrigin(ordered).map((some) => this.columns.join(some.map(({ row }) => row)));
  }

  /** The scores of a sample of `rows`, to be called when all documents are in. */
  scorer(): (sample: readonly CountRow[]) => Scores {
    const complete = this.hipaa.unknownTypes.length === 0;
    const types = scoredTypes(this.columns, complete ? this.hipaa.counts : null);
    return (sample) => scoresOf(this.columns.sum(sample), types);
  }

  evaluation({ seed, resamples = 1000 }: Omit<EvaluationOptions, 'hipaa'>): Evaluation {
    const { rows } = this;
    const scores = this.scorer();
    const intervals = scoreIntervals(rows, scores, { seed, resamples });
    const ofTokens = (measure: keyof MeanScore) => {
      const interval = intervals.get(`token.binary.${measure}`);
      return interval && { [measure]: interval };
    };
    return {
      documents: this.#rows.length,
      origins: rows.length,
      tokens: this.#tokens,
      ...scores(rows),
      confusion: this.#confusion.entries,
      hipaa: { scheme: this.hipaa.scheme.name, unknownTypes: this.hipaa.unknownTypes },
      intervals: {
        ...ofTokens('precision'),
        ...ofTokens('recall'),
        ...ofTokens('f1'),
      },
      headlineIntervals: Object.fromEntries(intervals),
    };
  }
}

/**
 * Scores a system's documents against the gold standard's.
 *
 * @throws TacetError `corpus-invalid` where the two texts of a pair differ.
 */
export function evaluate(
  pairs: Iterable<DocumentPair>,
  { hipaa = officialHipaa(), ...options }: EvaluationOptions,
): Evaluation {
  const tally = new Tally(hipaa);
  for (const pair of pairs) tally.add(pair);
  return tally.evaluation(options);
}

const officialHipaa = () => new HipaaView(loadLabelScheme('i2b2-official-hipaa'));
