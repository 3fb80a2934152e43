/**
 * The `count` largest of a stream of scores, in memory of twice that: scores are kept until the
 * buffer is full, then all but the best `count` are dropped and their minimum is the bar for the
 * next ones. Amortised constant work a score, and no full sort.
 */
export class Nearest {
  /** A score at or under this is not worth offering. */
  bar = Number.NEGATIVE_INFINITY;
  readonly #rows: Int32Array;
  readonly #scores: Float32Array;
  #length = 0;

  constructor(readonly count: number) {
    this.#rows = new Int32Array(2 * count + 1);
    this.#scores = new Float32Array(2 * count + 1);
  }

  /** Rows are offered in rising order, so that of equal scores the lower row stays. */
  offer(row: number, score: number): void {
    this.#rows[this.#length] = row;
    this.#scores[this.#length] = score;
    this.#length++;
    if (this.#length === this.#rows.length) this.#drop();
  }

  /** The best rows and their scores, best first; equal scores by row. */
  best(): { rows: Int32Array; scores: Float32Array } {
    const order = Array.from({ length: this.#length }, (_, index) => index);
    const rows = this.#rows;
    const scores = this.#scores;
    order.sort((a, b) => at(scores, b) - at(scores, a) || at(rows, a) - at(rows, b));
    order.length = Math.min(order.length, this.count);
    return {
      rows: Int32Array.from(order, (index) => at(rows, index)),
      scores: Float32Array.from(order, (index) => at(scores, index)),
    };
  }

  #drop(): void {
    const bar = largest(this.#scores.slice(0, this.#length), this.count);
    let ties = this.count;
    for (let i = 0; i < this.#length; i++) if (at(this.#scores, i) > bar) ties--;
    let kept = 0;
    for (let i = 0; i < this.#length; i++) {
      const score = at(this.#scores, i);
      if (score < bar || (score === bar && ties-- <= 0)) continue;
      this.#scores[kept] = score;
      this.#rows[kept] = at(this.#rows, i);
      kept++;
    }
    this.#length = kept;
    this.bar = bar;
  }
}

/** The `count`-th largest value, by Hoare's quickselect; reorders `values`. */
function largest(values: Float32Array, count: number): number {
  let low = 0;
  let high = values.length - 1;
  const wanted = count - 1;
  while (low < high) {
    const pivot = at(values, (low + high) >> 1);
    let i = low;
    let j = high;
    while (i <= j) {
      while (at(values, i) > pivot) i++;
      while (at(values, j) < pivot) j--;
      if (i > j) break;
      const swapped = at(values, i);
      values[i++] = at(values, j);
      values[j--] = swapped;
    }
    if (wanted <= j) high = j;
    else if (wanted >= i) low = i;
    else break;
  }
  return at(values, wanted);
}

function at(array: Float32Array | Int32Array, index: number): number {
  return array[index] as number;
}
