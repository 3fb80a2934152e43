/** Documents as files of their own, each named by its id, as most formats are written. */
import { TacetError } from '../../../proto/errors.js';
import { placedDocuments, type ReadCorpusOptions } from './read-corpus.js';

/** Bytes that file systems take for a name, less those of the longest extensions. */
const NAME_BYTES = 255 - Buffer.byteLength('.json.gz');

/**
 * The name of a document's file, without extensions. An id comes from a file that others wrote: it must not lead out of
 * the directory. Throws `corpus-invalid`, with `where` the document stands.
 */
export function fileName(id: string, where?: string): string {
  const isShort = Buffer.byteLength(id) <= NAME_BYTES;
  if (isShort && /^[^/\\:\p{Cc}]{1,200}$/u.test(id) && !/^[.\s]|[.\s]$/.test(id)) return id;
  throw new TacetError(
    'corpus-invalid',
    `${where === undefined ? '' : `${where}: `}a document has an id that cannot name a file; expected 1 to 200 ` +
      `characters in at most ${NAME_BYTES} bytes, without slashes, colons, controls, or a dot at an end (or choose jsonl)`,
  );
}

/**
 * Reads a corpus to see whether each of its documents can have a file of its own, so that writing them does not end
 * half way. Throws `corpus-invalid` with the places of two documents of one id, or of an id that cannot name a file, and
 * as `readCorpus`.
 */
export async function requireOwnFiles(
  path: string,
  options: Pick<ReadCorpusOptions, 'format' | 'skipBad' | 'signal'>,
): Promise<void> {
  const places = new Map<string, string>();
  for await (const { document, origin } of placedDocuments(path, options)) {
    const name = fileName(document.id, origin);
    const other = places.get(name);
    if (other !== undefined) throw sameId(origin, other);
    places.set(name, origin);
  }
}

/** The id itself may be the name of a patient. */
function sameId(where: string, other: string): TacetError {
  return new TacetError(
    'corpus-invalid',
    `${where}: has the id of ${other}, and files are named by ids; expected an id of its own for each document: ` +
      'rename one (or choose jsonl)',
  );
}
