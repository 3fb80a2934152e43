/** Words of characters, and the windows that are laid over them. */
export interface CharacterWords {
  /** [U · S], each from 0 to A − 1; 0 is where a word has ended. */
  readonly codes: Int32Array;
  /** S */
  readonly steps: number;
  /** W, characters a window. */
  readonly width: number;
  /** F */
  readonly filters: number;
}

/** Of a word without characters, which no window has. */
const NOWHERE = -1;

/** `characterMaximum` of tables [A · W · F] into `result` [U · F], and where it was found into `places` [U · F]. */
export function referenceMaximum(
  tables: Float32Array,
  words: CharacterWords,
  result: Float32Array,
  places: Int32Array,
): void {
  const { filters, width } = words;
  for (let word = 0; word * filters < result.length; word++) {
    const length = lengthOf(words, word);
    for (let f = 0; f < filters; f++) {
      let best = length === 0 ? 0 : Number.NEGATIVE_INFINITY;
      let where = NOWHERE;
      for (let place = 0; place < length; place++) {
        let sum = 0;
        for (let k = 0; k < width; k++)
          sum = Math.fround(sum + (tables[rowOf(words, word, length, place, k) + f] as number));
        if (sum > best) [best, where] = [sum, place];
      }
      result[word * filters + f] = best;
      places[word * filters + f] = where;
    }
  }
}

/** The gradient of the tables [A · W · F] from dy [U · F], into `result`, which is zero. */
export function referenceMaximumGradient(
  dy: Float32Array,
  words: CharacterWords,
  places: Int32Array,
  result: Float32Array,
): void {
  const { filters, width } = words;
  for (let word = 0; word * filters < dy.length; word++) {
    const length = lengthOf(words, word);
    for (let f = 0; f < filters; f++) {
      const place = places[word * filters + f] as number;
      if (place === NOWHERE) continue;
      for (let k = 0; k < width; k++)
        result[rowOf(words, word, length, place, k) + f] += dy[word * filters + f] as number;
    }
  }
}

function lengthOf({ codes, steps }: CharacterWords, word: number): number {
  const end = codes.subarray(word * steps, (word + 1) * steps).indexOf(0);
  return end < 0 ? steps : end;
}

/** Where the filters of character k of a window begin in the tables. */
function rowOf(
  { codes, steps, width, filters }: CharacterWords,
  word: number,
  length: number,
  place: number,
  k: number,
): number {
  const at = place + k - (width >> 1);
  const code = at >= 0 && at < length ? (codes[word * steps + at] as number) : 0;
  return (code * width + k) * filters;
}
