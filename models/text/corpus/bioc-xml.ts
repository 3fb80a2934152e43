import { TacetError } from '../../../proto/errors.js';
import {
  type BiocAnnotation,
  type BiocDocument,
  type BiocLocation,
  type BiocPassage,
  rawBiocDocument,
  typeOfInfons,
} from './bioc-document.js';
import type { RawDocument } from './raw-document.js';
import { MAX_DOCUMENT_BYTES, tooLarge } from './read-bytes.js';
import { type XmlEvents, XmlReader, type XmlTag } from './xml-reader.js';

const UTF8_FATAL = () => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The documents of a BioC collection in XML of any size, one call a document, in memory bounded by the
 * largest document that is allowed. A declaration of BioC.dtd without a subset is passed over, as its
 * tools write it.
 */
export async function* parseBiocXml(
  chunks: AsyncIterable<Buffer>,
  path: string,
  name: string,
): AsyncGenerator<() => RawDocument> {
  const collection = new BiocCollection(path, name);
  const decoder = UTF8_FATAL();
  const decode = (chunk?: Buffer) => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw new TacetError(
        'corpus-invalid',
        `${path}: not UTF-8 behind ${collection.reader.place}; expected UTF-8 text`,
      );
    }
  };
  for await (const chunk of chunks) {
    collection.take(decode(chunk), chunk.length);
    yield* collection.documents();
  }
  collection.take(decode(), 0);
  collection.reader.end();
  yield* collection.documents();
}

/** Around which elements others may stand. */
const AROUND: Readonly<Record<string, readonly string[]>> = {
  document: ['collection'],
  passage: ['document'],
  sentence: ['passage'],
  annotation: ['document', 'passage', 'sentence'],
  location: ['annotation'],
};

interface OpenAnnotation {
  readonly infons: Record<string, string>;
  text?: string;
  locations: BiocLocation[];
  place: string;
}

interface OpenPassage {
  offset: number | undefined;
  text?: string;
  place: string;
}

interface OpenDocument {
  id?: string;
  passages: BiocPassage[];
  annotations: BiocAnnotation[];
  relations: number;
  place: string;
}

/** Gathers the documents of a collection as its elements come. */
class BiocCollection implements XmlEvents {
  /** Typed, so that a failure is known to end what calls it. */
  readonly reader: XmlReader;
  readonly #path: string[] = [];
  #whole: BiocDocument[] = [];
  #document: OpenDocument | undefined;
  /** The passage, and within it the sentence, that is open. */
  readonly #passages: OpenPassage[] = [];
  #annotation: OpenAnnotation | undefined;
  #key: string | undefined;
  #text = '';
  #bytes = 0;
  #count = 0;

  constructor(
    private readonly file: string,
    private readonly name: string,
  ) {
    this.reader = new XmlReader(file, this, { allowDoctype: true });
  }

  take(part: string, bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > MAX_DOCUMENT_BYTES) throw tooLarge(`${this.file}: ${this.reader.place}`);
    this.reader.write(part);
  }

  *documents(): Generator<() => RawDocument> {
    const whole = this.#whole;
    this.#whole = [];
    for (const document of whole) yield () => rawBiocDocument(document);
  }

  open({ name, attributes }: XmlTag): void {
    const { place } = this.reader;
    if (this.#path.length === 0 && name !== 'collection')
      this.reader.fail('expected a BioC collection at the root');
    if (Object.hasOwn(AROUND, name) && !AROUND[name]?.includes(this.#path.at(-1) ?? ''))
      this.reader.fail(`the element ${name} stands where BioC has none; expected it elsewhere`);
    this.#path.push(name);
    this.#text = '';
    if (name === 'document') {
      this.#document = { id: attributes.id, passages: [], annotations: [], relations: 0, place };
    } else if (name === 'passage' || name === 'sentence') {
      this.#passages.push({ offset: integerOf(attributes.offset), place });
    } else if (name === 'annotation')
      this.#annotation = { infons: Object.create(null), locations: [], place };
    else if (name === 'location') this.#locate(attributes);
    else if (name === 'relation' && this.#document) this.#document.relations++;
    this.#key = name === 'infon' ? attributes.key : undefined;
  }

  text(part: string): void {
    this.#text += part;
  }

  close(name: string): void {
    this.#path.pop();
    const text = this.#text;
    this.#text = '';
    if (name === 'document') this.#endDocument();
    else if (name === 'passage' || name === 'sentence') this.#endPassage();
    else if (name === 'annotation') this.#endAnnotation();
    else this.#take(name, text);
  }

  /** What an element says of the one around it. */
  #take(name: string, text: string): void {
    const within = this.#path.at(-1);
    const passage = this.#passages.at(-1);
    if (name === 'id' && within === 'document' && this.#document) this.#document.id = text.trim();
    else if (within === 'annotation' && this.#annotation) {
      if (name === 'text') this.#annotation.text = text;
      else if (name === 'infon' && this.#key !== undefined)
        this.#annotation.infons[this.#key] = text.trim();
    } else if ((within === 'passage' || within === 'sentence') && passage) {
      if (name === 'offset') passage.offset = integerOf(text.trim());
      else if (name === 'text') passage.text = text;
    }
  }

  #locate(attributes: Readonly<Record<string, string>>): void {
    const offset = integerOf(attributes.offset);
    const length = integerOf(attributes.length);
    if (offset === undefined || length === undefined)
      this.reader.fail('a location wants "offset" and "length"; expected integers from 0');
    this.#annotation?.locations.push({ offset, length });
  }

  #endAnnotation(): void {
    const { infons, text, locations, place } = this.#annotation as OpenAnnotation;
    const type = typeOfInfons(infons);
    this.#document?.annotations.push({ type, text, locations, place });
    this.#annotation = undefined;
  }

  #endPassage(): void {
    const { offset, text, place } = this.#passages.pop() as OpenPassage;
    if (text === undefined || text === '') return;
    if (offset === undefined)
      this.reader.fail('a passage has no offset; expected an integer from 0');
    const isSentence = this.#passages.length > 0;
    this.#document?.passages.push({ offset, text, place, isSentence });
  }

  #endDocument(): void {
    const { id, passages, annotations, relations, place } = this.#document as OpenDocument;
    this.#count++;
    const own = id === undefined || id === '' ? `${this.name}-${this.#count}` : id;
    const origin = `${this.file}: ${place}`;
    this.#whole.push({ id: own, passages, annotations, relations, origin });
    this.#document = undefined;
    this.#bytes = 0;
  }
}

function integerOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,10}$/.test(text) ? Number(text) : undefined;
}
