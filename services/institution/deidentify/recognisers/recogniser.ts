/** What a pattern finds in a text, in UTF-16 offsets. */
export interface PatternMatch {
  readonly start: number;
  readonly end: number;
  /** How likely it is to be of the recogniser's type, by its shape and its checksum alone; in [0, 1]. */
  readonly score: number;
  readonly pattern: string;
}

/** Finds one type of PHI by its shape, beside the model. */
export interface Recogniser {
  /** As Presidio calls its own of the kind. */
  readonly name: string;
  /** Presidio's name of the type. */
  readonly type: string;
  /** Languages whose texts have it; all where absent. */
  readonly languages?: readonly string[];
  /** Words that make a finding surer where they stand before it. */
  readonly context: readonly string[];
  find(text: string): Iterable<PatternMatch>;
}

/** One shape of a type. */
export interface Shape {
  readonly pattern: string;
  readonly expression: RegExp;
  readonly score: number;
  /** Where a shape can be checked, for instance by its checksum: whether a match is genuine. */
  readonly check?: (match: string) => boolean;
}

/**
 * All matches of the shapes. `expression` must be global, and take time linear in the text: it meets
 * whatever a note holds.
 */
export function* matchesOf(text: string, shapes: readonly Shape[]): Generator<PatternMatch> {
  for (const { pattern, expression, score, check } of shapes) {
    for (const { 0: match, index } of text.matchAll(expression)) {
      if (check && !check(match)) continue;
      yield { start: index, end: index + match.length, score, pattern };
    }
  }
}
