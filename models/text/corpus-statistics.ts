import type { Document } from './document.js';
import type { LabelScheme } from './label-scheme.js';
import { splitSentences } from './sentence-splitter.js';
import { tokenise } from './tokeniser.js';

export interface CorpusSummary {
  readonly documents: number;
  /** UTF-16 units. */
  readonly characters: number;
  readonly sentences: number;
  readonly tokens: number;
  readonly longestSentence: number;
  readonly spans: number;
  /** Spans that lie in more than one sentence, so that no tagger can find them whole. */
  readonly spansAcrossSentences: number;
  /** Ends of spans that are not ends of tokens, two ends a span. */
  readonly boundariesWithinTokens: number;
  readonly types: Readonly<Record<string, number>>;
}

/** Counts of a corpus, gathered a document at a time. */
export class CorpusStatistics {
  private readonly types = new Map<string, number>();
  private readonly counts = {
    documents: 0,
    characters: 0,
    sentences: 0,
    tokens: 0,
    longestSentence: 0,
    spans: 0,
    spansAcrossSentences: 0,
    boundariesWithinTokens: 0,
  };

  add({ text, spans }: Document): void {
    const tokens = tokenise(text);
    const sentences = splitSentences(text, tokens);
    const { counts, types } = this;
    counts.documents++;
    counts.characters += text.length;
    counts.tokens += tokens.length;
    counts.sentences += sentences.length;
    for (const { length } of sentences)
      counts.longestSentence = Math.max(counts.longestSentence, length);
    const tokenStarts = new Set(tokens.map((token) => token.start));
    const tokenEnds = new Set(tokens.map((token) => token.end));
    const sentenceEnds = sentences.map((sentence) => sentence.at(-1)?.end ?? 0);
    let sentence = 0;
    for (const { type, start, end } of spans) {
      counts.spans++;
      types.set(type, (types.get(type) ?? 0) + 1);
      if (!tokenStarts.has(start)) counts.boundariesWithinTokens++;
      if (!tokenEnds.has(end)) counts.boundariesWithinTokens++;
      while ((sentenceEnds[sentence] ?? end) <= start) sentence++;
      if ((sentenceEnds[sentence] ?? end) < end) counts.spansAcrossSentences++;
    }
  }

  summary(): CorpusSummary {
    const types = Object.fromEntries([...this.types].sort(([a], [b]) => (a < b ? -1 : 1)));
    return { ...this.counts, types };
  }

  /** The types that occur and that a scheme neither has nor maps. */
  typesUnknownTo(scheme: LabelScheme): string[] {
    return [...this.types.keys()]
      .filter((type) => !scheme.types.includes(type) && !Object.hasOwn(scheme.map, type))
      .sort();
  }

  /** The summary as a table for people. */
  lines(): string[] {
    const { types, ...counts } = this.summary();
    const row = (name: string, count: number) => `${name.padEnd(36)}${String(count).padStart(12)}`;
    const words = (name: string) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    return [
      ...Object.entries(counts).map(([name, count]) => row(words(name), count)),
      ...Object.entries(types).map(([type, count]) => row(`  ${type}`, count)),
    ];
  }
}
