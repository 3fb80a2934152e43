import type { Counting, Offsets } from '../offset-counting.js';
import { countedOffset, offsetsOf } from '../offset-counting.js';
import { type Fields, isName, type Removals } from './closed-structure.js';
import type { TextChange } from './text-change.js';

/** The places of Label Studio's regions behind a change of the text that they are in. */
export class RegionPlaces {
  readonly #before: Offsets;

  constructor(
    private readonly change: TextChange,
    text: string,
    private readonly counting: Counting,
  ) {
    this.#before = offsetsOf(text, counting);
  }

  /** What was found, each as the value of a region. */
  found(): Fields[] {
    const { after, spans } = this.change;
    return spans.map(({ type, start, end }) => ({
      ...{ start: this.#counted(start), end: this.#counted(end) },
      ...{ text: after.slice(start, end), labels: [type] },
    }));
  }

  /** The value of a region that was there. */
  moved(own: Fields, removals: Removals): Fields {
    const { change } = this;
    const start = change.moved(this.#before.at(Number(own.start)) ?? 0, 'start');
    const end = change.moved(this.#before.at(Number(own.end)) ?? 0, 'end');
    return removals.keep(own, {
      start: this.#counted(start),
      end: this.#counted(end),
      ...(own.text === undefined ? {} : { text: change.after.slice(start, end) }),
      labels: (own.labels as string[]).filter(isName),
    });
  }

  #counted(at: number): number {
    return countedOffset(this.change.after, at, this.counting);
  }
}
