import type { Span } from '../../document.js';

/** What stands in the place of `[start, end)`, in UTF-16 units of the text before, and of which type it is. */
export interface Replacement extends Span {
  readonly text: string;
}

/** A text whose entities were found, and replaced or left as they are. */
export class TextChange {
  readonly after: string;
  /** Where the entities stand in the text after. */
  readonly spans: readonly Span[];

  /** `replacements` in order of `start`, none overlapping another. */
  constructor(
    readonly before: string,
    private readonly replacements: readonly Replacement[],
  ) {
    this.after = this.slice(0, before.length);
    this.spans = replacements.map(({ type, start, end }) => ({
      ...{ type, start: this.moved(start, 'start'), end: this.moved(end, 'end') },
    }));
  }

  /** Where an offset of the text before lies after; within an entity, at that end of its replacement. */
  moved(at: number, edge: 'start' | 'end'): number {
    let growth = 0;
    for (const { start, end, text } of this.replacements) {
      const isSame = text === this.before.slice(start, end);
      if (at <= start || (isSame && at < end)) break;
      if (at < end) return start + growth + (edge === 'start' ? 0 : text.length);
      growth += text.length - (end - start);
    }
    return at + growth;
  }

  /** What becomes of `[from, to)`: an entity that begins before it is left out, one that begins in it is in whole. */
  slice(from: number, to: number): string {
    let at = from;
    let result = '';
    for (const { start, end, text } of this.replacements) {
      if (end <= from || start >= to) continue;
      if (start >= from) result += this.before.slice(at, start) + text;
      at = end;
    }
    return result + this.before.slice(Math.min(at, to), to);
  }
}
