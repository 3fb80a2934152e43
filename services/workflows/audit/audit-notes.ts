import { createHash } from 'node:crypto';
import { readCorpus } from '../../../models/text/corpus/read-corpus.js';
import type { Document } from '../../../models/text/document.js';
import { sha256Hex } from '../../../proto/digest.js';
import { distinctNames } from './distinct-names.js';

export interface AuditNotesOptions {
  /** Several paths are several institutions. */
  readonly corpus: readonly string[];
  /** What the report calls them, by default the names of the paths. */
  readonly corpusName?: string;
  /** Finds the institution in a document's id. */
  readonly institutions?: RegExp;
  /** At most so many documents. */
  readonly documents?: number;
  /** The provider's training notes. */
  readonly members?: string;
}

/** What an auditor brings. */
export interface AuditNotes {
  readonly documents: readonly Document[];
  /** Where each comes from, where they come from several institutions. */
  readonly institutions: ReadonlyMap<Document, string> | undefined;
  readonly members: readonly Document[] | undefined;
}

/** Reads them; throws as `readCorpus` does. */
export async function readAuditNotes(
  { corpus, institutions, documents: most, members }: AuditNotesOptions,
  signal: AbortSignal,
): Promise<AuditNotes> {
  const names = distinctNames(corpus);
  const origin = new Map<Document, string>();
  for (const [i, each] of corpus.entries())
    for (const document of await documentsIn(each, signal))
      origin.set(document, institutions?.exec(document.id)?.[0] ?? (names[i] as string));
  const documents = [...origin.keys()].slice(0, most);
  const several = new Set(documents.map((document) => origin.get(document))).size > 1;
  return {
    documents,
    institutions: several ? origin : undefined,
    members: members === undefined ? undefined : await documentsIn(members, signal),
  };
}

async function documentsIn(corpus: string, signal: AbortSignal): Promise<Document[]> {
  const documents: Document[] = [];
  const notes = readCorpus(corpus, { requireAnnotations: true, signal });
  for await (const document of notes) documents.push(document);
  return documents;
}

/** Tells whether a later run is on the same notes; never leaves this machine. */
export function digestOfNotes(documents: readonly Document[]): string {
  const hash = createHash('sha256');
  for (const { id, text, spans } of documents) hash.update(JSON.stringify([id, text, spans]));
  return hash.digest('hex');
}

/** Tells whether a later run takes each note to be of the same institution. */
export function digestOfOrigins(
  documents: readonly Document[],
  institutions: ReadonlyMap<Document, string>,
): string {
  const origins = documents.map((document) => institutions.get(document));
  return sha256Hex(JSON.stringify(origins));
}
