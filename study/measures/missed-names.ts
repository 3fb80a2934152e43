/**
 * What a second reader is worth: labels are taken off notes at random, as if annotators had missed them, and
 * the reader looks for what is left without one, in notes whose other entities are replaced.
 */

import { estimate, type Observation } from '../../models/statistics/estimate.js';
import { createInventory } from '../../models/surrogates/create-inventory.js';
import { Inventory } from '../../models/surrogates/inventory.js';
import {
  fillEntities,
  type MaskedDocument,
  maskEntities,
} from '../../models/surrogates/replacement.js';
import { Random } from '../../models/tensor/random.js';
import type { Document, Span } from '../../models/text/document.js';
import { type LabelScheme, mapType } from '../../models/text/label-scheme.js';
import { sentencesOf } from '../../models/text/labelled-sentence.js';
import { type FindPhi, suspectsIn } from '../../models/text/suspects.js';
import type { Measured } from '../runs/deidentifier-scores.js';
import { asMeasured } from '../runs/measured.js';

export interface MissedNames {
  /** Share of labels that were taken off. */
  readonly share: number;
  readonly missed: number;
  /** Of the missed names: those whose words leave, by what becomes of suspects. */
  readonly leaves: Readonly<Record<'report' | 'replace' | 'withhold', Measured>>;
  /** By PHI type, how many were missed and how many leave though suspects are replaced. */
  readonly byType: Readonly<Record<string, { readonly missed: number; readonly leave: number }>>;
  /** What it costs: shares of sentences that withholding leaves out, and of tokens that are labelled wrongly. */
  readonly withheldSentences: number;
  readonly wrongTokens: number;
}

/** Measures one share after another on the same notes. */
export async function missedNames(
  documents: readonly Document[],
  scheme: LabelScheme,
  find: FindPhi,
  { shares, seed }: { readonly shares: readonly number[]; readonly seed: number },
): Promise<MissedNames[]> {
  const corpora = [{ name: 'notes', documents }];
  const inventory = new Inventory(await createInventory(scheme, { corpora }));
  const results: MissedNames[] = [];
  for (const share of shares) {
    const tally = new Tally();
    const random = new Random(seed).fork(`missed ${share}`);
    for (const [documentIndex, document] of documents.entries()) {
      const isMissed = document.spans.map(() => random.uniform() < share);
      const filled = withMissed(document, isMissed, scheme, (masked) =>
        fillEntities(masked, inventory, random),
      );
      const suspects = await suspectsIn(filled, find, scheme);
      tally.add(filled, suspects, scheme, documentIndex);
    }
    results.push({ share, ...tally.result() });
  }
  return results;
}

/** Its spans are the surrogates of what kept its label. */
interface FilledNote extends Omit<Document, 'id'> {
  /** What lost its label, where it stands now. */
  readonly missed: readonly Span[];
}

function withMissed(
  { text, spans, sentences }: Document,
  isMissed: readonly boolean[],
  scheme: LabelScheme,
  fill: (masked: MaskedDocument) => Omit<Document, 'id'>,
): FilledNote {
  const isPhi = ({ type }: Span) => mapType(type, scheme) !== null;
  const kept = spans.filter((span, i) => !isMissed[i] && isPhi(span));
  const filled = fill(maskEntities({ text, spans: kept, sentences }, scheme));
  const missed = spans
    .filter((span, i) => isMissed[i] && isPhi(span))
    .map(({ type, start, end }) => {
      const before = kept.filter((each) => each.end <= start).length;
      const [from, to] = [kept[before - 1]?.end ?? 0, filled.spans[before - 1]?.end ?? 0];
      // A gap may begin with a space that keeps it apart from a surrogate.
      const at = filled.text.indexOf(text.slice(start, end), to + start - from);
      return { type: mapType(type, scheme) as string, start: at, end: at + end - start };
    });
  return { ...filled, missed };
}

class Tally {
  /** Of each missed name, whether it leaves; of one that crosses the border of a sentence, whether a part does. */
  readonly #leave = {
    report: [] as Observation[],
    replace: [] as Observation[],
    withhold: [] as Observation[],
  };
  readonly #types = new Map<string, { missed: number; leave: number }>();
  #sentences = 0;
  #withheld = 0;
  #tokens = 0;
  #wrong = 0;

  add(
    { missed, ...note }: FilledNote,
    suspects: readonly Span[],
    scheme: LabelScheme,
    documentIndex: number,
  ): void {
    const sentences = sentencesOf({ id: '', ...note, spans: [] }, scheme, 0).map(
      ({ tokens }) => tokens,
    );
    const leaving: Extent[] = [];
    for (const tokens of sentences) {
      const [start, end] = [tokens[0]?.start ?? 0, tokens.at(-1)?.end ?? 0];
      const extent = { start, end };
      const isWithheld = suspects.some((span) => doOverlap(span, extent));
      this.#sentences++;
      if (isWithheld) this.#withheld++;
      else leaving.push(extent);
      this.#tokens += tokens.length;
      const isWrong = (token: Extent) =>
        suspects.some((span) => doOverlap(span, token)) &&
        !missed.some((span) => doOverlap(span, token));
      this.#wrong += tokens.filter(isWrong).length;
    }
    const tokens = sentences.flat();
    for (const name of missed) {
      const words = tokens.filter((token) => doOverlap(token, name));
      if (words.length === 0) continue;
      this.#addMissed(name, documentIndex, {
        replace: !words.every((token) => suspects.some((span) => doOverlap(span, token))),
        withhold: leaving.some((extent) => doOverlap(extent, name)),
      });
    }
  }

  result(): Omit<MissedNames, 'share'> {
    // Names of one note are missed alike.
    const measured = (names: readonly Observation[]) => asMeasured(estimate(names));
    const { report, replace, withhold } = this.#leave;
    return {
      missed: report.length,
      leaves: {
        report: measured(report),
        replace: measured(replace),
        withhold: measured(withhold),
      },
      byType: Object.fromEntries([...this.#types].sort(([a], [b]) => (a < b ? -1 : 1))),
      withheldSentences: this.#withheld / this.#sentences,
      wrongTokens: this.#wrong / this.#tokens,
    };
  }

  #addMissed(
    { type }: Span,
    documentIndex: number,
    leaves: { replace: boolean; withhold: boolean },
  ): void {
    this.#leave.report.push({ documentIndex, value: 1 });
    this.#leave.replace.push({ documentIndex, value: Number(leaves.replace) });
    this.#leave.withhold.push({ documentIndex, value: Number(leaves.withhold) });
    const { missed, leave } = this.#types.get(type) ?? { missed: 0, leave: 0 };
    this.#types.set(type, { missed: missed + 1, leave: leave + (leaves.replace ? 1 : 0) });
  }
}

type Extent = Pick<Span, 'start' | 'end'>;

function doOverlap(a: Extent, b: Extent): boolean {
  return a.start < b.end && b.start < a.end;
}
