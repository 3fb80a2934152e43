import { isPhi } from '../certification/move.js';
import { CASINGS } from '../text/casing.js';
import type { TextExample } from '../training/data/examples.js';
import type { NoteLine } from './note-line.js';
import type { AuditTarget } from './target.js';

/** Properties of a sentence by which results are broken down. */
export interface SentenceTraits {
  readonly length: 'up to 8 tokens' | '9 to 20 tokens' | 'over 20 tokens';
  readonly line?: NoteLine | undefined;
  readonly institution?: string | undefined;
}

/** Properties of a PHI token by which results are broken down. They never hold the token itself. */
export interface Traits extends SentenceTraits {
  /** PHI type of its label. */
  readonly type: string;
  /** Names are seldom written in lower case, and f may be taught to keep what is. */
  readonly form: 'words in lower case' | 'other words' | 'digits';
  /** How often the attacker's own notes hold it as PHI. */
  readonly frequency: 'unseen' | 'rare' | 'frequent';
  /** How far apart the two mentions of a pair stand. */
  readonly place?: 'one document' | 'two documents' | 'two institutions' | undefined;
  /** In how many sentences of its note an entity stands. */
  readonly sentences?: 'one sentence' | 'several sentences' | undefined;
}

export const TRAITS = [
  'type',
  'form',
  'line',
  'length',
  'frequency',
  'sentences',
  'institution',
  'place',
] as const;

const ALL_LOWER = CASINGS.indexOf('all lower');
const FREQUENT = 5;
const SHORT = 8;
const MIDDLE = 20;

/** Gives the traits of PHI tokens, and of sentences, of the notes of `target`. */
export class TraitReader {
  readonly #counts = new Map<number, number>();

  constructor(
    private readonly target: Pick<
      AuditTarget,
      'train' | 'vocabulary' | 'labels' | 'institutions' | 'lines'
    >,
  ) {
    for (const example of target.train) {
      example.ids.forEach((id, position) => {
        if (isPhi(example, position)) this.#counts.set(id, (this.#counts.get(id) ?? 0) + 1);
      });
    }
  }

  of(example: TextExample, position: number): Traits {
    const { target } = this;
    const { ids, labels } = example;
    const count = this.#counts.get(ids[position]) ?? 0;
    return {
      ...this.ofSentence(example),
      type: typeOf(target.labels, labels[position]),
      form: formOf(target.vocabulary, ids[position]),
      frequency: count === 0 ? 'unseen' : count < FREQUENT ? 'rare' : 'frequent',
    };
  }

  ofSentence(example: TextExample): SentenceTraits {
    const { length } = example.ids;
    return {
      length:
        length <= SHORT ? 'up to 8 tokens' : length <= MIDDLE ? '9 to 20 tokens' : 'over 20 tokens',
      line: this.target.lines?.get(example),
      institution: this.target.institutions?.get(example),
    };
  }
}

function formOf(vocabulary: AuditTarget['vocabulary'], id: number): Traits['form'] {
  if (vocabulary.isDigits(id)) return 'digits';
  return vocabulary.casing(id) === ALL_LOWER ? 'words in lower case' : 'other words';
}

/** The PHI type of a label id. */
export function typeOf(labels: readonly string[], label: number): string {
  return labels[label]?.slice('B-'.length) ?? 'PHI';
}
