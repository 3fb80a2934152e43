import type { Span } from '../text/document.js';
import type { Piece } from './note.js';

/** A text that grows piece by piece and knows where its PHI stands. */
export class NoteText {
  #text = '';
  readonly #spans: Span[] = [];

  get length(): number {
    return this.#text.length;
  }

  get spans(): readonly Span[] {
    return this.#spans;
  }

  append(pieces: readonly Piece[]): void {
    for (const { text, type } of pieces) {
      const start = this.#text.length;
      this.#text += text;
      if (type !== undefined && text !== '')
        this.#spans.push({ type, start, end: this.#text.length });
    }
  }

  /** The text, with lines broken at `column` where one is given; never inside PHI. */
  finish(column?: number): string {
    return column === undefined ? this.#text : this.#wrap(column);
  }

  #wrap(column: number): string {
    const characters = [...this.#text].length === this.#text.length ? this.#text.split('') : null;
    if (characters === null) return this.#text;
    const inside = new Set<number>();
    for (const { start, end } of this.#spans) for (let at = start; at < end; at++) inside.add(at);
    let lineStart = 0;
    let breakable = -1;
    characters.forEach((character, at) => {
      if (character === '\n') {
        lineStart = at + 1;
        breakable = -1;
      } else if (character === ' ' && !inside.has(at)) breakable = at;
      if (at - lineStart >= column && breakable >= 0) {
        characters[breakable] = '\n';
        lineStart = breakable + 1;
        breakable = -1;
      }
    });
    return characters.join('');
  }
}
