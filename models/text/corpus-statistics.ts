import type { Document } from './document.js';
import { splitSentences } from './sentence-splitter.js';
import { boundariesWithinTokens } from './token-boundaries.js';
import { tokenise } from './tokeniser.js';
import { TypeNames } from './type-name.js';

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

/** The end of a span that is no end of a token. */
export interface CutToken {
  readonly document: string;
  /** In UTF-16 units of the document's text. */
  readonly offset: number;
}

/** Further ones are counted but not kept. */
const MAX_CUT_TOKENS = 10_000;

/** Counts of a corpus, gathered a document at a time. */
export class CorpusStatistics {
  /** Where spans end within tokens, in the order of the documents. */
  readonly cutTokens: CutToken[] = [];
  private readonly types = new TypeNames();
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

  add({ id, text, spans, sentences: stated }: Document): void {
    const tokens = tokenise(text);
    const sentences = splitSentences(text, tokens, stated);
    const { counts, types } = this;
    counts.documents++;
    counts.characters += text.length;
    counts.tokens += tokens.length;
    counts.sentences += sentences.length;
    for (const { length } of sentences)
      counts.longestSentence = Math.max(counts.longestSentence, length);
    const cuts = boundariesWithinTokens(spans, tokens);
    counts.boundariesWithinTokens += cuts.length;
    for (const offset of cuts)
      if (this.cutTokens.length < MAX_CUT_TOKENS) this.cutTokens.push({ document: id, offset });
    const sentenceEnds = sentences.map((sentence) => sentence.at(-1)?.end ?? 0);
    let sentence = 0;
    for (const { type, start, end } of spans) {
      counts.spans++;
      types.add(type, text.slice(start, end));
      while ((sentenceEnds[sentence] ?? end) <= start) sentence++;
      if ((sentenceEnds[sentence] ?? end) < end) counts.spansAcrossSentences++;
    }
  }

  summary(): CorpusSummary {
    return { ...this.counts, types: this.types.counts() };
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
