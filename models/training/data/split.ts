import { TacetError } from '../../../proto/errors.js';
import type { Random } from '../../tensor/random.js';
import { keptTogether, type Originated } from '../../text/corpus/kept-together.js';
import { originOf } from '../../text/corpus/template-id.js';

/** Draws a share of the items for validation, at least one, and of several not all; the rest trains. Order is kept. */
export function splitOff<T>(
  items: readonly T[],
  share: number,
  random: Random,
): { train: T[]; validation: T[] } {
  const held = new Set(drawn([...items.keys()], shareOf(items.length, share), random));
  return {
    train: items.filter((_, i) => !held.has(i)),
    validation: items.filter((_, i) => held.has(i)),
  };
}

function shareOf(count: number, share: number): number {
  return Math.max(1, Math.min(Math.round(count * share), count - 1));
}

function drawn<T>(items: readonly T[], count: number, random: Random): T[] {
  const order = [...items];
  random.shuffle(order);
  return order.slice(0, Math.max(0, count));
}

/** Documents of which a share is drawn for validation. */
export interface Source<D extends Originated> {
  readonly documents: readonly D[];
  readonly random: Random;
  /** Which documents they are, for people. */
  readonly what: string;
  /** Who gave them their ids, which those of others may have by chance; the same for all where it is not said. */
  readonly idsBy?: string;
}

/**
 * As `splitOff`, of documents: those of one origin, a template, a patient or a note that was copied, also nearly, stay
 * together, and the share is one of origins. Throws `corpus-invalid` where all are of one; `what` says of which documents.
 */
export function splitDocuments<D extends Originated>(
  documents: readonly D[],
  share: number,
  random: Random,
  what = 'notes',
): { train: D[]; validation: D[] } {
  const [parts] = splitSources([{ documents, random, what }], share);
  return parts as { train: D[]; validation: D[] };
}

/**
 * As `splitDocuments`, of each source; what is of one origin stays together over all of them. What sources before it hold of
 * a source counts for its share. What ids tell of an origin is told within documents whose ids one gave (`idsBy`). Throws
 * as `splitDocuments`.
 */
export function splitSources<D extends Originated>(
  sources: readonly Source<D>[],
  share: number,
): { train: D[]; validation: D[] }[] {
  const namedBy = new Map(
    sources.flatMap(({ documents, idsBy = '' }) => documents.map((each) => [each, idsBy] as const)),
  );
  const groups = keptTogether(
    sources.flatMap(({ documents }) => documents),
    (document) => `${namedBy.get(document)}/${originOf(document)}`,
  );
  const known = new Set<D[]>();
  const held = new Set<D[]>();
  for (const { documents, random, what } of sources) {
    const own = new Set(documents);
    const within = groups.filter((group) => group.some((document) => own.has(document)));
    requireOrigins(
      within.map((group) => group.filter((document) => own.has(document))),
      2,
      what,
    );
    const lacking =
      shareOf(within.length, share) - within.filter((group) => held.has(group)).length;
    const left = within.filter((group) => !known.has(group));
    for (const group of left) known.add(group);
    for (const group of drawn(left, lacking, random)) held.add(group);
  }
  const validating = new Set([...held].flat());
  return sources.map(({ documents }) => ({
    train: documents.filter((document) => !validating.has(document)),
    validation: documents.filter((document) => validating.has(document)),
  }));
}

/**
 * So many documents, or more where origins are drawn whole, and the others, in the order that they had. Throws
 * `corpus-invalid` where no other would be left.
 */
export function drawDocuments<D extends Originated>(
  documents: readonly D[],
  count: number,
  random: Random,
  what = 'notes',
): { drawn: D[]; others: D[] } {
  const groups = keptTogether(documents);
  random.shuffle(groups);
  const chosen = new Set<D>();
  let origins = 0;
  for (const group of groups) {
    if (chosen.size >= count) break;
    for (const document of group) chosen.add(document);
    origins++;
  }
  requireOrigins(groups, origins + 1, what);
  return {
    drawn: documents.filter((document) => chosen.has(document)),
    others: documents.filter((document) => !chosen.has(document)),
  };
}

/** Throws `corpus-invalid` where documents are of fewer origins (`keptTogether`), which a split keeps whole. */
export function requireOrigins(
  groups: readonly (readonly Originated[])[],
  least: number,
  what: string,
): void {
  const found = groups.length;
  if (found >= least) return;
  throw new TacetError(
    'corpus-invalid',
    `${what}: found ${counted(groups.flat().length, 'document')} of ${counted(found, 'origin')}, where a note and its ` +
      "copies, the notes of a patient and a template's sentences are of one and are never parted; expected " +
      `${least} origins or more; add documents of others, or part a long text into several files`,
  );
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
