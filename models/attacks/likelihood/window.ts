/** Tokens of a sentence, from `start` to before `end`, whose vectors f computes from the whole sentence. */
export interface Window {
  /** [T] vocabulary ids of the whole sentence. */
  readonly ids: Int32Array;
  readonly start: number;
  readonly end: number;
}

export function wholeOf(ids: Int32Array): Window {
  return { ids, start: 0, end: ids.length };
}
