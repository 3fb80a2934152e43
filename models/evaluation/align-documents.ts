import { TacetError } from '../../proto/errors.js';
import type { Document } from '../text/document.js';

/** A gold document and what each system made of it, in the order of the systems. */
export interface AlignedDocuments {
  /** From 1, in the order of the gold standard. */
  readonly number: number;
  readonly gold: Document;
  readonly systems: readonly Document[];
}

const NAMED = 5;

/** @throws TacetError `corpus-invalid` for an id that occurs twice. */
export async function documentIds(documents: AsyncIterable<Document>): Promise<Set<string>> {
  const ids = new Set<string>();
  let number = 0;
  for await (const { id } of documents) addOnce(ids, id, `gold document ${++number}`);
  return ids;
}

/**
 * Brings the documents of one id together, reading all sources side by side: a document waits in
 * memory only until its partners come, so sources in the same order are never held. Documents of a
 * system whose id is not in `ids`, the ids of the gold documents, are left out and told to `onExtra`:
 * a system may have read more than was annotated.
 *
 * @throws TacetError `corpus-invalid` for an id that occurs twice in a system and for gold documents
 * that a system lacks.
 */
export async function* alignDocuments(
  gold: AsyncIterable<Document>,
  systems: readonly AsyncIterable<Document>[],
  ids: ReadonlySet<string>,
  onExtra: () => void = () => {},
): AsyncGenerator<AlignedDocuments> {
  const sources = [gold, ...systems.map((system) => documentsWithId(system, ids, onExtra))];
  const readers = sources.map((source) => source[Symbol.asyncIterator]());
  const numbers = new Map([...ids].map((id, at) => [id, at + 1]));
  const waiting = new Map<string, (Document | undefined)[]>();
  try {
    for (let reading = true; reading; ) {
      reading = false;
      for (const [at, reader] of readers.entries()) {
        const { value, done } = await reader.next();
        if (done) continue;
        reading = true;
        const partners = waiting.get(value.id) ?? [];
        partners[at] = value;
        waiting.set(value.id, partners);
        const [first, ...others] = partners;
        if (first === undefined || !isComplete(others, systems.length)) continue;
        waiting.delete(value.id);
        yield { number: numbers.get(value.id) as number, gold: first, systems: others };
      }
    }
  } finally {
    for (const reader of readers) await reader.return?.();
  }
  refuseMissing([...waiting.keys()], ids);
}

function isComplete(
  documents: readonly (Document | undefined)[],
  count: number,
): documents is Document[] {
  return documents.length === count && !documents.includes(undefined);
}

async function* documentsWithId(
  documents: AsyncIterable<Document>,
  ids: ReadonlySet<string>,
  onExtra: () => void,
): AsyncGenerator<Document> {
  const seen = new Set<string>();
  let number = 0;
  for await (const document of documents) {
    addOnce(seen, document.id, `system document ${++number}`);
    if (ids.has(document.id)) yield document;
    else onExtra();
  }
}

/** Documents are told by their numbers, from 1: an id may be the name of a patient. */
function addOnce(ids: Set<string>, id: string, which: string): void {
  if (ids.has(id))
    throw new TacetError(
      'corpus-invalid',
      `${which} has the id of document ${numberOf(id, ids)}; expected every id once`,
    );
  ids.add(id);
}

function refuseMissing(missing: readonly string[], ids: ReadonlySet<string>): void {
  if (missing.length === 0) return;
  const numbers = missing.slice(0, NAMED).map((id) => numberOf(id, ids));
  const more = missing.length - NAMED;
  throw new TacetError(
    'corpus-invalid',
    `${missing.length} of ${ids.size} gold documents have no system document of the same id: ` +
      `${numbers.join(', ')}${more > 0 ? ` and ${more} more` : ''} in the order of the gold standard`,
  );
}

/** From 1; each id was added as its document was read. */
function numberOf(id: string, ids: ReadonlySet<string>): number {
  return [...ids].indexOf(id) + 1;
}
