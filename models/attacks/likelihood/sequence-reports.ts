import type { AttackContext, AttackReport } from '../attack.js';
import { attackReport, curveOf, type Outcome, shortenedTo } from '../report/attack-report.js';
import type { HiddenReading, ReadWord, WrittenWord } from './hidden-reading.js';

/** What all sentences came to. */
export interface SequenceFound extends HiddenReading {
  readonly sentences: number;
  readonly planned: number;
  /** How many notes each prior was learnt from. */
  readonly documents: readonly number[];
  readonly settings: AttackReport['settings'];
}

export function sequenceReports(
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
  const all = documents.length - 1;
  const byNotes = (kind: 'withPrior' | 'priorAlone') => [
    curveOf('notes', documents, (share) => outcomes((word) => word[kind][share], uniform), context),
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
    plainReport(plain, rest, context),
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

function plainReport(
  plain: SequenceFound['plain'],
  rest: Pick<AttackReport, 'task' | 'settings' | 'shortened'>,
  context: AttackContext,
): AttackReport {
  const heading = {
    ...rest,
    name: 'known-noise-sequence-without-prior',
    attack: 'known-noise-sequence-without-prior',
    description:
      'knows the model and all of a sentence but several PHI words, and finds them among their candidates by likelihood alone',
  } as const;
  const outcomes = plain.map((word) => ({
    ...word,
    guessed: word.listAlone === undefined ? uniform(word) : Number(word.listAlone),
  }));
  return attackReport(heading, outcomes, 'tried', context);
}

/** How often a guess among the options of a word is right. */
function uniform({ options }: ReadWord): number {
  return 1 / options;
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
