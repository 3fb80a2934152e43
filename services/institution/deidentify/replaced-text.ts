import type { Inventory } from '../../../models/surrogates/inventory.js';
import type { SurrogateLocale } from '../../../models/surrogates/surrogate-language.js';
import type { SurrogateShift } from '../../../models/surrogates/surrogate-shift.js';
import { type Mention, Surrogates } from '../../../models/surrogates/surrogates.js';
import type { Span } from '../../../models/text/document.js';
import type { Treatment } from './treatment.js';

interface Replacing {
  readonly treatment: Treatment;
  readonly language?: SurrogateLocale | undefined;
  readonly shift?: SurrogateShift | undefined;
}

/** A text in which one span after another is replaced, in order of `start`, none overlapping another. */
export class ReplacedText {
  readonly #pieces: string[] = [];
  readonly #instead: (phi: string, type: string) => string;
  #from = 0;
  #length = 0;

  constructor(
    private readonly text: string,
    spans: readonly Span[],
    how: Replacing,
    inventory?: Inventory,
  ) {
    const mentions = spans.map(({ type, start, end }) => ({ phi: text.slice(start, end), type }));
    this.#instead = replacer(how, mentions, inventory);
  }

  /** Where the replacement of the next span stands. */
  replace({ type, start, end }: Span): Span {
    this.#push(this.text.slice(this.#from, start));
    const at = this.#length;
    this.#push(this.#instead(this.text.slice(start, end), type));
    this.#from = end;
    return { type, start: at, end: this.#length };
  }

  end(): string {
    return this.#pieces.join('') + this.text.slice(this.#from);
  }

  #push(piece: string): void {
    this.#pieces.push(piece);
    this.#length += piece.length;
  }
}

/** What to put in the place of one mention after another of a document. */
function replacer(
  { treatment, language, shift }: Replacing,
  mentions: readonly Mention[],
  inventory: Inventory | undefined,
): (phi: string, type: string) => string {
  const replaced = treatment === 'surrogate' ? mentions : [];
  const surrogates = new Surrogates(language, replaced, inventory, shift);
  const replacements: Readonly<Record<Treatment, (phi: string, type: string) => string>> = {
    tag: (_phi, type) => `[${type}]`,
    mask: (phi) => '*'.repeat(phi.length),
    surrogate: (phi, type) => surrogates.of(phi, type),
    annotate: (phi) => phi,
  };
  return replacements[treatment];
}
