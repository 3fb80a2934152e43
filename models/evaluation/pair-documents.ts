import { TacetError } from '../../proto/errors.js';
import type { Document } from '../text/document.js';
import type { DocumentPair } from './evaluate.js';

const NAMED_IDS = 5;

/**
 * Pairs documents by id, in the order of the gold ones. Further documents of the system are left
 * out: a system may have read more than was annotated.
 *
 * @throws TacetError `corpus-invalid` for an id that occurs twice and for gold documents that the
 * system lacks.
 */
export async function pairDocuments(
  gold: AsyncIterable<Document>,
  system: AsyncIterable<Document>,
): Promise<{ pairs: DocumentPair[]; extra: number }> {
  const systemById = await byId(system, 'system');
  const goldById = await byId(gold, 'gold');
  const missing = [...goldById.keys()].filter((id) => !systemById.has(id));
  if (missing.length > 0)
    throw new TacetError(
      'corpus-invalid',
      `${missing.length} of ${goldById.size} gold documents have no system document of the same id: ${named(missing)}`,
    );
  const pairs = [...goldById].map(([id, document]) => ({
    gold: document,
    system: systemById.get(id) as Document,
  }));
  return { pairs, extra: systemById.size - goldById.size };
}

async function byId(
  documents: AsyncIterable<Document>,
  side: string,
): Promise<Map<string, Document>> {
  const found = new Map<string, Document>();
  for await (const document of documents) {
    if (found.has(document.id))
      throw new TacetError(
        'corpus-invalid',
        `two ${side} documents have the id ${document.id}; expected every id once`,
      );
    found.set(document.id, document);
  }
  return found;
}

function named(ids: readonly string[]): string {
  const more = ids.length - NAMED_IDS;
  return ids.slice(0, NAMED_IDS).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
