import type { Document } from '../../../models/text/document.js';
import type { EntityTreatment } from '../../../proto/entity-treatment.js';
import type { EncodingModel } from '../../institution/bundles/encoding-model.js';
import { Ledger } from '../../institution/release/ledger.js';
import { Replacer } from '../../institution/release/replacer.js';
import { requireInventory } from '../../institution/release/required-inventory.js';
import { readInventory } from '../inventory-files.js';
import type { AuditNotes } from './audit-notes.js';

/** Notes as an encoder saw them. */
export interface EncodedNotes extends AuditNotes {
  readonly entities: EntityTreatment;
  /** Of each document whose entities were replaced, the document as it was given. */
  readonly originals?: ReadonlyMap<Document, Document>;
}

/**
 * Notes with the surrogates that stood for their entities when they were encoded in `home`: they follow from
 * its ledger's secret. As they are where entities were kept. Throws as `Ledger.open` and `Replacer.replace`, and
 * `inventory-missing`.
 */
export async function asEncoded(
  notes: AuditNotes,
  { scheme, inventory: own }: Pick<EncodingModel, 'scheme' | 'inventory'>,
  { home, inventory: file }: { readonly home: string; readonly inventory?: string | undefined },
  signal: AbortSignal,
): Promise<EncodedNotes> {
  const ledger = await Ledger.open(home, signal);
  try {
    if (ledger.bounds().entities !== 'replaced') return { ...notes, entities: 'kept' };
    const given = file === undefined ? own : await readInventory(file);
    const inventory = requireInventory(given, scheme);
    const secret = ledger.key.surrogateSecret();
    const replacer = new Replacer({ inventory: inventory.file, secret });
    const replaced = new Map<Document, Document>();
    for (const document of notes.documents)
      replaced.set(document, (await replacer.replace(document, scheme)).document);
    const now = (document: Document) => replaced.get(document) ?? document;
    const { institutions } = notes;
    return {
      ...notes,
      documents: notes.documents.map(now),
      originals: new Map([...replaced].map(([original, document]) => [document, original])),
      institutions:
        institutions && new Map([...institutions].map(([each, from]) => [now(each), from])),
      entities: 'replaced',
    };
  } finally {
    ledger.close();
  }
}
