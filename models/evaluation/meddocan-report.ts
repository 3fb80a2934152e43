import type { Evaluation } from './evaluate.js';
import type { Score } from './score.js';

/** The scores of the MEDDOCAN task (Marimon et al. 2019), under the names of its own script. */
export interface MeddocanScores {
  /** Spans missed per sentence; null without the number of sentences. */
  readonly leak: number | null;
  /** Sub-track 1: same start, end and type. */
  readonly ner: Score;
  /** Sub-track 2: same start and end. */
  readonly spanStrict: Score;
  /** Sub-track 2, with spans that only punctuation or white space part merged. */
  readonly spanMerged: Score;
}

/** `sentences` is what the task's own sentence split gives for the documents. */
export function meddocanScores(
  { strict, merged }: Evaluation,
  sentences: number | undefined,
): MeddocanScores {
  return {
    leak: sentences === undefined ? null : strict.micro.fn / sentences,
    ner: strict.micro,
    spanStrict: strict.binary,
    spanMerged: merged,
  };
}

/** What the script writes, to the last digit; `NA` is its own word for a leak it cannot know. */
export function meddocanReport({ leak, ner, spanStrict, spanMerged }: MeddocanScores): string[] {
  return [
    `Subtask1_Leak : ${leak === null ? 'NA' : everyDigit(leak)}`,
    ...scoreLines('Subtask1', ner),
    ...scoreLines('Subtask2Strict', spanStrict),
    ...scoreLines('Subtask2Merged', spanMerged),
  ];
}

function scoreLines(name: string, { precision, recall, f1 }: Score): string[] {
  return [
    `${name}_Precision : ${everyDigit(precision)}`,
    `${name}_Recall : ${everyDigit(recall)}`,
    `${name}_F1 : ${everyDigit(f1)}`,
  ];
}

/** Python writes a whole number as 1.0. */
const everyDigit = (value: number) => (Number.isInteger(value) ? `${value}.0` : `${value}`);
