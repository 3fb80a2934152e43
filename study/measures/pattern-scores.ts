/** What is found by its shape alone, against labelled notes: how much of it is PHI, and how much PHI it finds. */

import type { Document, Span } from '../../models/text/document.js';
import { tokenise } from '../../models/text/tokeniser.js';

/** What a pattern of a recogniser finds in a text. */
export interface PatternSpan extends Pick<Span, 'start' | 'end'> {
  readonly recogniser: string;
  readonly pattern: string;
}

export type FindPatterns = (text: string) => Promise<readonly PatternSpan[]>;

export interface PatternScore {
  readonly recogniser: string;
  readonly pattern: string;
  readonly findings: number;
  /** Findings that are a labelled entity from its first to its last token. */
  readonly exact: number;
  readonly tokens: number;
  /** Tokens of findings that have a label of PHI. */
  readonly phiTokens: number;
}

export interface TypeRecall {
  readonly type: string;
  readonly tokens: number;
  /** Of those, the ones in some finding. */
  readonly found: number;
}

export interface PatternScores {
  readonly patterns: readonly PatternScore[];
  readonly types: readonly TypeRecall[];
}

type Counts = { -readonly [K in keyof PatternScore]: PatternScore[K] };

/** Scores of each pattern that finds anything, and of each type that is labelled, in order of their names. */
export async function patternScores(
  documents: AsyncIterable<Document> | Iterable<Document>,
  find: FindPatterns,
): Promise<PatternScores> {
  const patterns = new Map<string, Counts>();
  const types = new Map<string, { tokens: number; found: number }>();
  for await (const { text, spans } of documents) {
    const findings = await find(text);
    const tokens = tokenise(text);
    const within = ({ start, end }: Pick<Span, 'start' | 'end'>) =>
      tokens.filter((token) => token.start < end && start < token.end);
    const extents = new Set(spans.map((span) => extentOf(within(span))));
    const isPhi = new Set(spans.flatMap(within));
    const isFound = new Set(findings.flatMap(within));
    for (const finding of findings) {
      const { recogniser, pattern } = finding;
      const key = `${recogniser} ${pattern}`;
      const counts = patterns.get(key) ?? {
        ...{ recogniser, pattern, findings: 0, exact: 0, tokens: 0, phiTokens: 0 },
      };
      patterns.set(key, counts);
      const own = within(finding);
      counts.findings++;
      if (extents.has(extentOf(own))) counts.exact++;
      counts.tokens += own.length;
      counts.phiTokens += own.filter((token) => isPhi.has(token)).length;
    }
    for (const span of spans) {
      const counts = types.get(span.type) ?? { tokens: 0, found: 0 };
      types.set(span.type, counts);
      const own = within(span);
      counts.tokens += own.length;
      counts.found += own.filter((token) => isFound.has(token)).length;
    }
  }
  return {
    patterns: inOrder(patterns).map(([, counts]) => counts),
    types: inOrder(types).map(([type, counts]) => ({ type, ...counts })),
  };
}

function extentOf(tokens: readonly Pick<Span, 'start' | 'end'>[]): string {
  return `${tokens[0]?.start}-${tokens.at(-1)?.end}`;
}

function inOrder<T>(map: ReadonlyMap<string, T>): [string, T][] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1));
}
