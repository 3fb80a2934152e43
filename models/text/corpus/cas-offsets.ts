/** What the offsets of UIMA CAS JSON count: bytes, UTF-16 units or code points. */
export const OFFSET_ENCODINGS = ['UTF-8', 'UTF-16', 'UTF-32'] as const;

export type OffsetEncoding = (typeof OFFSET_ENCODINGS)[number];

/** From the offsets that a file counts in a text to UTF-16 units, and back. */
export class CasOffsets {
  readonly #utf16 = new Map<number, number>();
  readonly #counted = new Map<number, number>();

  constructor(
    text: string,
    private readonly encoding: OffsetEncoding,
  ) {
    if (encoding === 'UTF-16') return;
    let count = 0;
    for (let at = 0; at <= text.length; ) {
      this.#utf16.set(count, at);
      this.#counted.set(at, count);
      const code = text.codePointAt(at) ?? 0;
      count += encoding === 'UTF-32' ? 1 : bytesOf(code);
      at += code > 0xffff ? 2 : 1;
    }
  }

  /** Undefined outside the text and within a character; where UTF-16 units are counted, the offset itself. */
  utf16(offset: number): number | undefined {
    return this.encoding === 'UTF-16' ? offset : this.#utf16.get(offset);
  }

  /** Of a place between two characters of the text. */
  counted(at: number): number {
    return this.#counted.get(at) ?? at;
  }
}

function bytesOf(code: number): number {
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code < 0x10000 ? 3 : 4;
}
