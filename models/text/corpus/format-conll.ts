import { TacetError } from '../../../proto/errors.js';
import type { Document, Span } from '../document.js';
import { splitSentences } from '../sentence-splitter.js';
import type { Token } from '../token.js';
import { tokenise } from '../tokeniser.js';
import type { RemarkCounts } from './remarks.js';

/**
 * How spans become tags. IOB2 starts each with `B`, IOB1 only one that follows another of its type
 * directly, BIOES also marks ends (`E`) and single tokens (`S`).
 */
export const TAG_SCHEMES = ['iob2', 'iob1', 'bioes'] as const;

export type TagScheme = (typeof TAG_SCHEMES)[number];

export interface ConllOptions {
  readonly tags?: TagScheme | undefined;
  /** Between the two columns: a blank for CoNLL, a tab for TSV. */
  readonly separator: ' ' | '\t';
}

/**
 * A document as two columns, token and tag, under a `-DOCSTART-` line with its id; `remarks` counts
 * the spans that tokens could not hold. Tokens are ours, sentences too unless the document states its own,
 * save that no sentence ends within a span. Throws `corpus-invalid` where the id cannot stand in a column.
 */
export function formatConll(
  document: Document,
  { tags = 'iob2', separator }: ConllOptions,
): { text: string; remarks: RemarkCounts } {
  const tokens = tokenise(document.text);
  const { runs, remarks } = tokenRuns(tokens, document.spans);
  const starts = sentenceStarts(document, tokens, runs);
  const labels = tagsOf(tokens.length, runs, starts, tags);
  const lines = [documentStart(document.id, separator)];
  tokens.forEach((token, at) => {
    if (starts.has(at)) lines.push('');
    lines.push(token.text + separator + labels[at]);
  });
  return { text: `${lines.join('\n')}\n\n`, remarks };
}

interface TokenRun {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** The token indices of each span; a token that two spans share belongs to the first. */
function tokenRuns(
  tokens: readonly Token[],
  spans: readonly Span[],
): { runs: TokenRun[]; remarks: RemarkCounts } {
  const runs: TokenRun[] = [];
  let widenedSpans = 0;
  let at = 0;
  for (const span of spans) {
    while (at < tokens.length && (tokens[at] as Token).end <= span.start) at++;
    const start = at;
    while (at < tokens.length && (tokens[at] as Token).start < span.end) at++;
    if (at === start) continue;
    const cuts = (tokens[start] as Token).start < span.start;
    if (cuts || (tokens[at - 1] as Token).end > span.end) widenedSpans++;
    runs.push({ type: span.type, start, end: at });
  }
  return { runs, remarks: { widenedSpans, lostSpans: spans.length - runs.length } };
}

/** The indices of the tokens that start a sentence, save those within a span. */
function sentenceStarts(
  { text, sentences }: Document,
  tokens: readonly Token[],
  runs: readonly TokenRun[],
): Set<number> {
  const starts = new Set<number>();
  let at = 0;
  let run = 0;
  for (const sentence of splitSentences(text, tokens, sentences)) {
    while ((runs[run]?.end ?? at + 1) <= at) run++;
    if ((runs[run]?.start ?? at) >= at) starts.add(at);
    at += sentence.length;
  }
  return starts;
}

/** A sentence's end parts two spans for IOB1, too. */
function tagsOf(
  count: number,
  runs: readonly TokenRun[],
  sentences: ReadonlySet<number>,
  scheme: TagScheme,
): string[] {
  const tags = new Array<string>(count).fill('O');
  let before: TokenRun | undefined;
  for (const run of runs) {
    const { type, start, end } = run;
    const follows = before?.type === type && before.end === start && !sentences.has(start);
    for (let at = start; at < end; at++) tags[at] = `I-${type}`;
    if (scheme !== 'iob1' || follows) tags[start] = `B-${type}`;
    if (scheme === 'bioes') tags[end - 1] = `${end - start === 1 ? 'S' : 'E'}-${type}`;
    before = run;
  }
  return tags;
}

/** An id with blanks needs tabs around it. */
function documentStart(id: string, separator: string): string {
  if (id === '' || /[\p{Cc}\u2028\u2029]/u.test(id))
    throw new TacetError(
      'corpus-invalid',
      'a document has an id that cannot stand in a column; expected one or more characters ' +
        'without tabs, line breaks or other controls',
    );
  const between = /\s/.test(id) ? '\t' : separator;
  return ['-DOCSTART-', id, 'O'].join(between);
}
