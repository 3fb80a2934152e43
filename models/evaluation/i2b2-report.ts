import { significantDigits } from '../statistics/significant-digits.js';
import { tagCategory } from '../text/corpus/tag-category.js';
import type { Document } from '../text/document.js';
import { agreementOf } from './agreement.js';
import type { DocumentPair } from './document-counts.js';
import type { HipaaView } from './hipaa-view.js';
import { i2b2Tokens, type LabelledItem } from './labelled-item.js';
import { matchExactly, matchRelaxed } from './matching.js';
import { addCounts, type Counts, NO_COUNTS, type Score, scoreOf } from './score.js';

type Unit = 'Token' | 'Strict' | 'Relaxed';

/** Which items a block of the report counts, and how. */
interface Rule {
  readonly name: string;
  readonly unit: Unit;
  readonly hipaa: boolean;
  readonly binary?: boolean;
  readonly category?: string;
}

const CATEGORIES = ['NAME', 'PROFESSION', 'LOCATION', 'AGE', 'DATE', 'CONTACT', 'ID', 'OTHER'];

/** The blocks of the report, in its order. */
const RULES: readonly Rule[] = [
  { name: 'Token', unit: 'Token', hipaa: false },
  { name: 'Strict', unit: 'Strict', hipaa: false },
  { name: 'Relaxed', unit: 'Relaxed', hipaa: false },
  { name: 'HIPAA Token', unit: 'Token', hipaa: true },
  { name: 'HIPAA Strict', unit: 'Strict', hipaa: true },
  { name: 'HIPAA Relaxed', unit: 'Relaxed', hipaa: true },
  { name: 'Binary Token', unit: 'Token', hipaa: false, binary: true },
  { name: 'Binary Strict', unit: 'Strict', hipaa: false, binary: true },
  { name: 'Binary HIPAA Token', unit: 'Token', hipaa: true, binary: true },
  { name: 'Binary HIPAA Strict', unit: 'Strict', hipaa: true, binary: true },
  ...CATEGORIES.flatMap((category): Rule[] => [
    { name: `${category} Token`, unit: 'Token', hipaa: false, category },
    { name: `${category} Strict`, unit: 'Strict', hipaa: false, category },
    { name: `${category} HIPAA Token`, unit: 'Token', hipaa: true, category },
    { name: `${category} HIPAA Strict`, unit: 'Strict', hipaa: true, category },
  ]),
];

/** A mean over documents with its standard deviation. */
interface DocumentMean {
  readonly mean: number;
  readonly sd: number;
}

export interface I2b2Block {
  readonly name: string;
  readonly documents: number;
  /** The means over documents; the F1 is that of the two means, and not a number where both are 0. */
  readonly macro: {
    readonly precision: DocumentMean;
    readonly recall: DocumentMean;
    readonly f1: number;
  };
  readonly micro: Score;
}

/**
 * The report of the i2b2 2014 evaluation script (Stubbs, Kotfila and Uzuner 2015); equal to it where
 * HIPAA's types are those of scheme `i2b2-official-hipaa`.
 */
export class I2b2Report {
  readonly #tallies = RULES.map((rule) => ({
    rule,
    counts: NO_COUNTS,
    precisions: [] as number[],
    recalls: [] as number[],
  }));

  constructor(readonly hipaa: HipaaView) {}

  add({ gold, system }: DocumentPair): void {
    for (const tally of this.#tallies) {
      const counts = this.#count(tally.rule, gold, system);
      const { precision, recall } = scoreOf(counts);
      tally.counts = addCounts(tally.counts, counts);
      tally.precisions.push(precision);
      tally.recalls.push(recall);
    }
  }

  get blocks(): I2b2Block[] {
    return this.#tallies.map(({ rule, counts, precisions, recalls }) => {
      const precision = meanOf(precisions);
      const recall = meanOf(recalls);
      const f1 = (2 * (precision.mean * recall.mean)) / (precision.mean + recall.mean);
      const documents = precisions.length;
      return {
        name: rule.name,
        documents,
        macro: { precision, recall, f1 },
        micro: scoreOf(counts),
      };
    });
  }

  /** What the script prints, to the last character. */
  get lines(): string[] {
    return this.blocks.flatMap(blockLines);
  }

  #count(rule: Rule, gold: Document, system: Document): Counts {
    const keep = (item: LabelledItem) =>
      (!rule.hipaa || this.hipaa.counts(item)) &&
      (rule.category === undefined || tagCategory(item.type) === rule.category);
    const items = (document: Document) =>
      (rule.unit === 'Token' ? i2b2Tokens(document) : document.spans).filter(keep);
    const match = rule.unit === 'Relaxed' ? matchRelaxed : matchExactly;
    const agreement = agreementOf(items(gold), items(system), match);
    return rule.binary ? agreement.binary : agreement.micro;
  }
}

function meanOf(values: readonly number[]): DocumentMean {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return { mean, sd: Math.sqrt(variance) };
}

const COLUMN_WIDTHS = [25, 15, 15, 20];

const row = (...cells: string[]) =>
  cells.map((cell, at) => cell.padEnd(COLUMN_WIDTHS[at] ?? 0)).join('');

function blockLines({ name, documents, macro, micro }: I2b2Block): string[] {
  const digits = (value: number) => significantDigits(value, 4);
  const withDeviation = ({ mean, sd }: DocumentMean) =>
    `${digits(mean)} (${significantDigits(sd, 2)})`;
  return [
    row(`${name} (${documents})`, 'Measure', 'Macro (SD)', 'Micro (Primary)'),
    '-'.repeat(COLUMN_WIDTHS.reduce((sum, width) => sum + width, 0)),
    row('Total', 'Precision', withDeviation(macro.precision), digits(micro.precision)),
    row('', 'Recall', withDeviation(macro.recall), digits(micro.recall)),
    row('', 'F1', digits(macro.f1), digits(micro.f1)),
    '',
    '',
  ];
}
