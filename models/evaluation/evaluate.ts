import { TacetError } from '../../proto/errors.js';
import type { Document } from '../text/document.js';
import { tokenise } from '../text/tokeniser.js';
import {
  type Agreement,
  type AgreementScores,
  addAgreement,
  agreementOf,
  NO_AGREEMENT,
  scoresOf,
} from './agreement.js';
import { bootstrapInterval } from './bootstrap.js';
import { i2b2Tokens, phiTokens } from './labelled-item.js';
import { type Leakage, leakageOf } from './leakage.js';
import { addCounts, NO_COUNTS, type Score, scoreOf } from './score.js';

export interface DocumentPair {
  readonly gold: Document;
  readonly system: Document;
}

export type Interval = readonly [low: number, high: number];

export interface Evaluation extends Leakage {
  readonly documents: number;
  readonly tokens: number;
  /** Over the tokens of `tokenise`. */
  readonly token: AgreementScores;
  /** Over the tokens of the i2b2 2014 evaluation, to compare with published scores. */
  readonly i2b2Token: AgreementScores;
  /** Same start, end and type; `binary` leaves the type out. */
  readonly entity: { readonly strict: AgreementScores };
  /** Documents with a character of PHI left uncovered. */
  readonly documentsWithLeak: number;
  /** 95 % intervals of the binary token score, bootstrapped over documents. */
  readonly intervals: {
    readonly precision: Interval;
    readonly recall: Interval;
    readonly f1: Interval;
  };
}

export interface EvaluationOptions {
  readonly seed: number;
  readonly resamples?: number;
}

interface DocumentCounts extends Leakage {
  readonly tokens: number;
  readonly token: Agreement;
  readonly i2b2Token: Agreement;
  readonly strict: Agreement;
}

/**
 * Scores a system's documents against the gold standard's.
 *
 * @throws TacetError `corpus-invalid` where the two texts of a pair differ.
 */
export function evaluate(
  pairs: Iterable<DocumentPair>,
  { seed, resamples = 1000 }: EvaluationOptions,
): Evaluation {
  const counts = Array.from(pairs, countDocument);
  const sum = (pick: (document: DocumentCounts) => number) =>
    counts.reduce((total, document) => total + pick(document), 0);
  const total = (pick: (document: DocumentCounts) => Agreement) =>
    scoresOf(counts.map(pick).reduce(addAgreement, NO_AGREEMENT));
  const interval = (pick: (score: Score) => number) =>
    bootstrapInterval(
      counts.map(({ token }) => token.binary),
      (sample) => pick(scoreOf(sample.reduce(addCounts, NO_COUNTS))),
      { seed, resamples },
    );
  return {
    documents: counts.length,
    tokens: sum(({ tokens }) => tokens),
    token: total(({ token }) => token),
    i2b2Token: total(({ i2b2Token }) => i2b2Token),
    entity: { strict: total(({ strict }) => strict) },
    phiCharacters: sum(({ phiCharacters }) => phiCharacters),
    leakedCharacters: sum(({ leakedCharacters }) => leakedCharacters),
    documentsWithLeak: counts.filter(({ leakedCharacters }) => leakedCharacters > 0).length,
    intervals: {
      precision: interval(({ precision }) => precision),
      recall: interval(({ recall }) => recall),
      f1: interval(({ f1 }) => f1),
    },
  };
}

function countDocument({ gold, system }: DocumentPair): DocumentCounts {
  if (gold.text !== system.text)
    throw new TacetError(
      'corpus-invalid',
      `document ${gold.id}: the system's text differs from the gold text from character ${firstDifference(gold.text, system.text)} on; expected the same text`,
    );
  const tokens = tokenise(gold.text);
  return {
    tokens: tokens.length,
    token: agreementOf(phiTokens(tokens, gold.spans), phiTokens(tokens, system.spans)),
    i2b2Token: agreementOf(i2b2Tokens(gold), i2b2Tokens(system)),
    strict: agreementOf(gold.spans, system.spans),
    ...leakageOf(gold, system.spans),
  };
}

function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at;
}
