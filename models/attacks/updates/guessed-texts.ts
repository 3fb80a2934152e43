import type { LabelledText } from '../../networks/text-network.js';
import type { Token } from '../../text/token.js';
import { capitalise } from '../capitalise.js';
import type { GradientMatch } from './gradient-match.js';
import type { WordTable } from './word-table.js';

/** What an attacker knows of a text: of each sentence the labels of its tokens, and so how many there are. */
export type TextShape = readonly Uint8Array[];

/** Words in the place of those of some texts, and how unlike an update their gradient is. */
export class GuessedTexts {
  readonly #words: Int32Array[];
  /** The gradient of each text, [N]. */
  readonly #gradients: Float32Array[];
  #sum: Float32Array;
  #distance: number;

  /** `words` has an array [tokens] of places in the table for each shape. */
  constructor(
    private readonly match: GradientMatch,
    private readonly shapes: readonly TextShape[],
    private readonly table: WordTable,
    words: readonly Int32Array[],
  ) {
    this.#words = [...words];
    this.#gradients = words.map((each, i) => this.#gradientOf(i, each));
    this.#sum = match.sum(this.#gradients);
    this.#distance = match.distance(this.#sum);
  }

  get words(): readonly Int32Array[] {
    return this.#words;
  }

  /** D, 0 to 2. */
  get distance(): number {
    return this.#distance;
  }

  texts(): LabelledText[] {
    return this.#words.map((words, i) => this.#textOf(i, words));
  }

  /** ∂D/∂x of the vectors of one text, [tokens · E]. */
  slopes(text: number): Float32Array {
    const words = this.#words[text] as Int32Array;
    const v = this.match.byGradient(this.#sum);
    return this.match.byVectors(this.#textOf(text, words), this.table.vectorsOf(words), v);
  }

  /** Gives one text other words where that brings the gradient nearer to the update; whether it does. */
  takeIfNearer(text: number, words: Int32Array): boolean {
    const gradient = this.#gradientOf(text, words);
    const old = this.#gradients[text] as Float32Array;
    const sum = this.#sum.slice();
    for (let place = 0; place < sum.length; place++)
      (sum[place] as number) += (gradient[place] as number) - (old[place] as number);
    const distance = this.match.distance(sum);
    if (!(distance < this.#distance)) return false;
    this.#words[text] = words;
    this.#gradients[text] = gradient;
    this.#sum = sum;
    this.#distance = distance;
    return true;
  }

  #gradientOf(text: number, words: Int32Array): Float32Array {
    return this.match.gradient(this.#textOf(text, words), this.table.vectorsOf(words));
  }

  /** A word that is labelled is taken for a name, with its first letter in upper case. */
  #textOf(text: number, words: Int32Array): LabelledText {
    let from = 0;
    return (this.shapes[text] as TextShape).map((labels) => {
      const tokens = Array.from(labels, (label, t): Token => {
        const word = this.table.word(words[from + t] as number);
        return { start: 0, end: 0, text: label === 0 ? word : capitalise(word) };
      });
      from += labels.length;
      return { documentIndex: text, tokens, labels };
    });
  }
}
