import type { Document, Span } from '../../../models/text/document.js';
import { type LabelScheme, mapType } from '../../../models/text/label-scheme.js';
import type { EntityTreatment } from '../../../proto/entity-treatment.js';
import { keptTypesIn } from '../../../proto/kept-types.js';
import type { EncodingModel } from '../../institution/bundles/encoding-model.js';
import { requireInventory } from '../../institution/release/job/required-inventory.js';
import { Ledger } from '../../institution/release/ledger/ledger.js';
import { Replacer } from '../../institution/release/notes/replacer.js';
import type { SecondReader } from '../../institution/release/suspects/second-reader.js';
import { readInventory } from '../inventory-files.js';
import type { AuditNotes } from './audit-notes.js';

/** A note whose entities were replaced. */
export interface EncodedCopy {
  readonly document: Document;
  /** Of each of its entities, in order, the words that stood there; a second reader's findings among them. */
  readonly stoodFor: readonly string[];
}

/** Notes as an encoder saw them: of each its first copy. */
export interface EncodedNotes extends AuditNotes {
  readonly entities: EntityTreatment;
  /** The notes before their entities were replaced, in the order of `documents`. */
  readonly given: readonly Document[];
  /** Where entities were replaced: of each of `documents` all copies, itself first. */
  readonly copies?: ReadonlyMap<Document, readonly EncodedCopy[]>;
}

/** What notes were encoded with, besides the model. */
export interface EncodedIn {
  readonly home: string;
  /** File of the inventory that replaced entities, by default the model's own. */
  readonly inventory?: string | undefined;
  /** Who read them once more, where what it found was replaced. */
  readonly reader?: SecondReader | undefined;
}

/**
 * Notes with the surrogates that stood for their entities when they were encoded in `home`, in as many copies as
 * any job there made, and once for each list of types that a job kept: they follow from its ledger's secret. As they
 * are where entities were kept. Throws as
 * `Ledger.open` and `Replacer.replace`, and `inventory-missing`.
 */
export async function asEncoded(
  notes: AuditNotes,
  { scheme, inventory: own }: Pick<EncodingModel, 'scheme' | 'inventory'>,
  { home, inventory: file, reader }: EncodedIn,
  signal: AbortSignal,
): Promise<EncodedNotes> {
  const ledger = await Ledger.open(home, signal);
  try {
    if (ledger.bounds().entities !== 'replaced')
      return { ...notes, given: notes.documents, entities: 'kept' };
    const given = file === undefined ? own : await readInventory(file);
    const inventory = requireInventory(given, scheme);
    const secret = ledger.key.surrogateSecret();
    const copies = ledger.segments.mostCopies();
    const replacers = ledger.segments.keptTypes().map((list) => {
      const keptTypes = keptTypesIn(list);
      return {
        keptTypes,
        replacer: new Replacer({ inventory: inventory.file, secret, copies, keptTypes }),
      };
    });
    const replaced = new Map<Document, readonly EncodedCopy[]>();
    for (const document of notes.documents) {
      signal.throwIfAborted();
      const all: EncodedCopy[] = [];
      for (const each of replacers) all.push(...(await copiesOf(document, each, scheme, reader)));
      replaced.set(document, all);
    }
    const now = (document: Document) => replaced.get(document)?.[0]?.document ?? document;
    const { institutions } = notes;
    return {
      ...notes,
      documents: notes.documents.map(now),
      given: notes.documents,
      copies: new Map([...replaced].map(([original, all]) => [now(original), all])),
      institutions:
        institutions && new Map([...institutions].map(([each, from]) => [now(each), from])),
      entities: 'replaced',
    };
  } finally {
    ledger.close();
  }
}

interface Replaced {
  readonly replacer: Replacer;
  readonly keptTypes: readonly string[];
}

async function copiesOf(
  original: Document,
  { replacer, keptTypes }: Replaced,
  scheme: LabelScheme,
  reader: SecondReader | undefined,
): Promise<EncodedCopy[]> {
  const labels = original.spans.filter(({ type }) => mapType(type, scheme) !== null);
  const isKept = ({ type }: Span) => keptTypes.includes(mapType(type, scheme) ?? '');
  // An entity that was kept stands for none.
  const labelled = labels.map((span) => (isKept(span) ? '' : textOf(original, span)));
  const unread = await replacer.copiesOf(original, scheme);
  const readCopies = reader ? await replacer.copiesOf(original, scheme, reader) : unread;
  return unread.map((first, copy) => {
    const read = readCopies[copy] ?? first;
    const suspects = reader?.treatment === 'replace' ? read.suspects : [];
    // A reader sees the note with its labelled entities replaced, and its findings are cut there.
    const stood = [
      ...first.document.spans.map(({ start }, i) => ({ start, text: labelled[i] as string })),
      ...suspects.map((suspect) => ({
        start: suspect.start,
        text: isKept(suspect) ? '' : textOf(first.document, suspect),
      })),
    ].sort((a, b) => a.start - b.start);
    return { document: read.document, stoodFor: stood.map(({ text }) => text) };
  });
}

function textOf({ text }: Pick<Document, 'text'>, { start, end }: Span): string {
  return text.slice(start, end);
}
