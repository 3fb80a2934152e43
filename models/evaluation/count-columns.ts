import type { Counts } from './score.js';

/** The counts of a document, or of several, packed: column, tp, fp, fn for each column that is not zero. */
export type CountRow = Uint32Array;

const FIELDS = 4;

/** The names of the counts that documents are summed by; rows of the same columns can be mixed. */
export class CountColumns {
  readonly #indexes = new Map<string, number>();

  get names(): Iterable<string> {
    return this.#indexes.keys();
  }

  pack(counts: ReadonlyMap<string, Counts>): CountRow {
    const some = [...counts].filter(([, { tp, fp, fn }]) => tp + fp + fn > 0);
    return Uint32Array.from(
      some.flatMap(([name, { tp, fp, fn }]) => [this.#indexOf(name), tp, fp, fn]),
    );
  }

  /** The sums of rows; a row that occurs twice counts twice. */
  sum(rows: readonly CountRow[]): CountSums {
    const sums = new Float64Array(3 * this.#indexes.size);
    for (const row of rows)
      for (let at = 0; at < row.length; at += FIELDS)
        for (let field = 0; field < 3; field++) {
          const index = 3 * (row[at] as number) + field;
          sums[index] = (sums[index] as number) + (row[at + 1 + field] as number);
        }
    return (name) => {
      const index = this.#indexes.get(name);
      const [tp = 0, fp = 0, fn = 0] =
        index === undefined ? [] : sums.subarray(3 * index, 3 * index + 3);
      return { tp, fp, fn };
    };
  }

  /** The sums of rows as one row. */
  join(rows: readonly CountRow[]): CountRow {
    if (rows.length === 1) return rows[0] as CountRow;
    const sums = this.sum(rows);
    return this.pack(new Map([...this.names].map((name) => [name, sums(name)])));
  }

  #indexOf(name: string): number {
    const index = this.#indexes.get(name) ?? this.#indexes.size;
    this.#indexes.set(name, index);
    return index;
  }
}

/** The sum of a column by its name; zeros for a name that no row has. */
export type CountSums = (column: string) => Counts;
