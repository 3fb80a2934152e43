import { TacetError } from '../../../proto/errors.js';
import type { Document } from '../document.js';
import { parseAsqPhi } from './asq-phi.js';
import { parseBiocJson } from './bioc-json.js';
import { parseBiocXml } from './bioc-xml.js';
import { parseBrat } from './brat.js';
import { parseCasJson } from './cas-json.js';
import { parseCasXmi } from './cas-xmi.js';
import { parseConll } from './conll.js';
import { type CorpusFile, corpusFiles } from './corpus-files.js';
import type { CorpusFormat } from './format.js';
import { parseI2b2Xml } from './i2b2-xml.js';
import { readArray } from './json-array.js';
import { parseJsonl } from './jsonl.js';
import { parseLabelStudio } from './label-studio.js';
import { parsePdf } from './pdf.js';
import { parsePresidio } from './presidio.js';
import { type CheckOptions, checkedDocument, type RawDocument } from './raw-document.js';
import { readBytes, readChunks, readLines, readText } from './read-bytes.js';
import { parseWebanno } from './webanno.js';

export interface ReadCorpusOptions extends CheckOptions {
  /** Detected where absent; a directory then gives files of every format. */
  readonly format?: CorpusFormat | undefined;
  /** Take a document for bad that is text alone, since an unlabelled one looks like one without PHI. */
  readonly requireAnnotations?: boolean | undefined;
  /** Go on after a bad document, and after what cannot be read below a directory, instead of throwing. */
  readonly skipBad?: boolean | undefined;
  /** Told of every document that was skipped. */
  readonly onBad?: ((error: TacetError) => void) | undefined;
  /** Told of every document whose sentences, or places of entities, may follow from what the entities are. */
  readonly onInexact?: (() => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A document, and where it stands: the file, and the line where one file holds several. */
export interface PlacedDocument {
  readonly document: Document;
  readonly origin: string;
}

/**
 * The documents of a file or of a directory and its subdirectories, in order of their names, one in
 * memory at a time. Throws `file-not-found`, `file-unreadable`, or `corpus-invalid` with file, line
 * or offset, and what was expected; no message quotes a document.
 *
 * ```ts
 * for await (const document of readCorpus('meddocan/train')) sentencesOf(document, scheme, index++);
 * ```
 */
export async function* readCorpus(
  path: string,
  options: ReadCorpusOptions = {},
): AsyncGenerator<Document> {
  for await (const { document } of placedDocuments(path, options)) yield document;
}

/** As `readCorpus`, with the places of the documents. */
export async function* placedDocuments(
  path: string,
  {
    format,
    requireAnnotations,
    skipBad = false,
    onBad,
    onInexact,
    overlaps,
    remarks,
    signal,
  }: ReadCorpusOptions = {},
): AsyncGenerator<PlacedDocument> {
  let found = false;
  const leaveOut = (error: TacetError) => {
    found = true;
    onBad?.(error);
  };
  for await (const file of corpusFiles(path, format, skipBad ? leaveOut : undefined)) {
    for await (const parse of failuresAsDocuments(rawDocumentsOf(file))) {
      signal?.throwIfAborted();
      found = true;
      try {
        const stated = await parse();
        if (requireAnnotations && stated.isPlain) throw unannotated(stated);
        const document = checkedDocument(stated, { overlaps, remarks });
        if (stated.isInexact) onInexact?.();
        yield { document, origin: stated.origin };
      } catch (error) {
        if (!skipBad || !(error instanceof TacetError)) throw error;
        leaveOut(error);
      }
    }
  }
  if (!found) throw new TacetError('corpus-invalid', nothingFound(path, format));
}

/** Readers of formats in which a file is a document. */
const PARSERS = {
  i2b2: parseI2b2Xml,
  'cas-json': parseCasJson,
  xmi: parseCasXmi,
  webanno: parseWebanno,
} as const;

function isWholeFile(format: CorpusFormat): format is keyof typeof PARSERS {
  return Object.hasOwn(PARSERS, format);
}

type Parse = () => RawDocument | Promise<RawDocument>;

/** A file that cannot be read on counts as one more document, a bad one. */
async function* failuresAsDocuments(documents: AsyncIterable<Parse>): AsyncGenerator<Parse> {
  try {
    yield* documents;
  } catch (error) {
    yield () => {
      throw error;
    };
  }
}

/** Each document as a call that parses it, so that one which fails does not end the others. */
async function* rawDocumentsOf(file: CorpusFile): AsyncGenerator<Parse> {
  const { path, name, format, annotations, whole } = file;
  if (format === 'jsonl' || format === 'doccano')
    yield* parseJsonl(readLines(readChunks(path)), path, name);
  else if (format === 'label-studio')
    yield* parseLabelStudio(readArray(readChunks(path), path, { orOne: true }), path, name);
  else if (format === 'bioc') yield* parseBiocXml(readChunks(path), path, name);
  else if (format === 'bioc-json') yield* parseBiocJson(await readText(path, whole), path, name);
  else if (format === 'presidio') yield* parsePresidio(readArray(readChunks(path), path), path);
  else if (format === 'asq-phi') yield* parseAsqPhi(readLines(readChunks(path)), path);
  else if (format === 'conll' || format === 'tsv')
    yield* parseConll(readLines(readChunks(path)), path, name);
  else if (format === 'pdf') yield async () => parsePdf(await readBytes(path, whole), name, path);
  else if (isWholeFile(format))
    yield async () => PARSERS[format](await readText(path, whole), name, path);
  else if (annotations !== undefined)
    yield async () =>
      parseBrat(await readText(path), await readText(annotations), name, annotations);
  else {
    const plain = { id: name, spans: [], isPlain: true, origin: path };
    yield async () => ({ ...plain, text: await readText(path, whole) });
  }
}

function unannotated({ origin }: RawDocument): TacetError {
  return new TacetError(
    'corpus-invalid',
    `${origin}: no annotations; expected an .ann file beside a .txt file, spans in a JSON line, TAGS in an XML file; ` +
      'an empty .ann file, an empty list or empty TAGS say that there is no PHI',
  );
}

function nothingFound(path: string, format: CorpusFormat | undefined): string {
  const kind = format === undefined ? 'documents' : `${format} documents`;
  return `${path}: there are no ${kind}; expected .xml, .xmi, .jsonl, .json, .conll, .tsv, .pdf, or .txt files, alone or with .ann, as they are or .gz`;
}
