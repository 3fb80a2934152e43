import { isPhi } from '../../certification/move.js';
import type { TextExample } from '../../training/examples.js';
import type { AuditTarget } from '../target.js';

/** Properties of a PHI token by which results are broken down. They never hold the token itself. */
export interface Traits {
  /** PHI type of its label. */
  readonly type: string;
  readonly form: 'words' | 'digits';
  /** How often the attacker's own notes hold it as PHI. */
  readonly frequency: 'unseen' | 'rare' | 'frequent';
  readonly length: 'up to 10 tokens' | '11 to 30 tokens' | 'over 30 tokens';
  readonly institution?: string | undefined;
  /** How far apart the two mentions of a pair stand. */
  readonly place?: 'one document' | 'two documents' | 'two institutions' | undefined;
}

export const TRAITS = ['type', 'form', 'frequency', 'length', 'institution', 'place'] as const;

const FREQUENT = 5;

/** Gives the traits of PHI tokens of the notes of `target`. */
export class TraitReader {
  readonly #counts = new Map<number, number>();

  constructor(
    private readonly target: Pick<AuditTarget, 'train' | 'vocabulary' | 'labels' | 'institutions'>,
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
      type: typeOf(target.labels, labels[position]),
      form: target.vocabulary.isDigits(ids[position]) ? 'digits' : 'words',
      frequency: count === 0 ? 'unseen' : count < FREQUENT ? 'rare' : 'frequent',
      length:
        ids.length <= 10
          ? 'up to 10 tokens'
          : ids.length <= 30
            ? '11 to 30 tokens'
            : 'over 30 tokens',
      institution: target.institutions?.get(example),
    };
  }
}

/** The PHI type of a label id. */
export function typeOf(labels: readonly string[], label: number): string {
  return labels[label]?.slice('B-'.length) ?? 'PHI';
}
