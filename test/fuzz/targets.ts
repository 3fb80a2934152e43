import type { Random } from '../../models/tensor/random.js';
import { parseAsqPhi } from '../../models/text/corpus/asq-phi.js';
import { parseBiocJson } from '../../models/text/corpus/bioc-json.js';
import { parseBiocXml } from '../../models/text/corpus/bioc-xml.js';
import { parseBrat } from '../../models/text/corpus/brat.js';
import { parseCasJson } from '../../models/text/corpus/cas-json.js';
import { parseCasXmi } from '../../models/text/corpus/cas-xmi.js';
import { parseConll } from '../../models/text/corpus/conll.js';
import { formatOfContent, HEAD_CHARACTERS } from '../../models/text/corpus/detect-format.js';
import { formatJsonl } from '../../models/text/corpus/format-document.js';
import { unpackedStream } from '../../models/text/corpus/gzip.js';
import { parseI2b2Xml } from '../../models/text/corpus/i2b2-xml.js';
import { readArray } from '../../models/text/corpus/json-array.js';
import { parseJsonl, parseJsonlDocument } from '../../models/text/corpus/jsonl.js';
import { parseLabelStudio } from '../../models/text/corpus/label-studio.js';
import { type LayeredFormat, readLayers } from '../../models/text/corpus/layers/read-layers.js';
import { TextChange } from '../../models/text/corpus/layers/text-change.js';
import { parsePdf } from '../../models/text/corpus/pdf.js';
import { parsePresidio } from '../../models/text/corpus/presidio.js';
import { checkedDocument, type RawDocument } from '../../models/text/corpus/raw-document.js';
import { decodeUtf8, isBlank, readLines } from '../../models/text/corpus/read-bytes.js';
import { parseWebanno } from '../../models/text/corpus/webanno.js';
import type { Document } from '../../models/text/document.js';
import { MAX_SENTENCE_TOKENS, splitSentences } from '../../models/text/sentence-splitter.js';
import { tokenise } from '../../models/text/tokeniser.js';
import { TacetError } from '../../proto/errors.js';
import { deidentifyCda } from '../../services/institution/deidentify/records/cda/deidentify-cda.js';
import { deidentifyResource } from '../../services/institution/deidentify/records/fhir/deidentify-resource.js';
import {
  formatExactJson,
  parseExactJson,
} from '../../services/institution/deidentify/records/fhir/exact-json.js';
import { RecordContext } from '../../services/institution/deidentify/records/record-context.js';
import { RecordCounts } from '../../services/institution/deidentify/records/record-counts.js';
import { Renaming } from '../../services/institution/deidentify/records/renaming.js';
import {
  ARRAYS,
  BIOC_JSON,
  BIOC_XML,
  BRAT,
  CAS_JSON,
  CAS_XMI,
  CDA,
  COLUMNS,
  FHIR,
  GZIP,
  JSONL,
  PDF,
  QUERIES,
  TASKS,
  TEXTS,
  WEBANNO,
  XML,
} from './samples.js';

/** What came of an input: documents or sentences that were read, and parts that were refused. */
export interface Outcome {
  readonly read: number;
  readonly refused: number;
}

/** A reader under test. `run` throws where it breaks a promise. */
export interface Target {
  readonly samples: readonly Buffer[];
  /** Of the inputs that others are given, where each of its own takes a thread; 1 where absent. */
  readonly share?: number;
  run(input: Buffer, random: Random): Promise<Outcome> | Outcome;
}

/** A failure of the reader, as opposed to a refusal. */
function expectThat(holds: boolean, promise: string): void {
  if (!holds) throw new Error(`broken promise: ${promise}`);
}

/** What every document that is read promises. */
function checkDocument({ text, spans }: Document): void {
  let at = 0;
  for (const { start, end } of spans) {
    expectThat(start >= at && end > start && end <= text.length, 'spans lie in order in the text');
    at = end;
  }
  expectThat(!/\p{Surrogate}/u.test(text), 'no half of a surrogate pair is in the text');
}

/** The outcome of calls that each give a document, in which one refusal does not end the others. */
async function outcomeOf(
  parses: AsyncIterable<() => RawDocument>,
  check: (document: Document) => void = checkDocument,
): Promise<Outcome> {
  let read = 0;
  let refused = 0;
  try {
    for await (const parse of parses) {
      const document = refusable(() => checkedDocument(parse()));
      if (document === undefined) refused++;
      else {
        check(document);
        read++;
      }
    }
  } catch (error) {
    requireRefusal(error);
    refused++;
  }
  return { read, refused };
}

function refusable<T>(attempt: () => T): T | undefined {
  try {
    return attempt();
  } catch (error) {
    requireRefusal(error);
    return undefined;
  }
}

const REFUSALS: ReadonlySet<string> = new Set([
  ...['corpus-invalid', 'record-invalid', 'record-unsupported'],
]);
/** A list of the types that are known stands in the longest. */
const LONGEST_MESSAGE = 700;

/** Refusals are expected errors of one line that do not grow with the input. */
function requireRefusal(error: unknown): void {
  if (!(error instanceof TacetError)) throw error;
  expectThat(REFUSALS.has(error.code), 'a refusal says that the input is bad');
  expectThat(error.message.length < LONGEST_MESSAGE, 'a message is short');
}

async function* one(parse: () => RawDocument): AsyncGenerator<() => RawDocument> {
  yield parse;
}

/** The input in chunks of any size, as files and pipes give it. */
async function* chunksOf(input: Buffer, random: Random): AsyncGenerator<Buffer> {
  for (let from = 0; from < input.length; ) {
    const to = Math.min(input.length, from + 1 + random.integer(2 ** random.integer(17)));
    yield input.subarray(from, to);
    from = to;
  }
}

const WORD = /\p{L}[\p{L}\p{M}\d]*/gu;

/** Words of each text are replaced, or marked as they are; the file that is written has the changed texts. */
function writtenBack(format: LayeredFormat) {
  return (input: Buffer, random: Random): Outcome => {
    const instead = random.uniform() < 0.5 ? undefined : '[😀]';
    const treatment = instead === undefined ? 'annotate' : 'replace';
    const content = () => decodeUtf8(input, 'a');
    const file = refusable(() => readLayers(content(), format, 'a', treatment));
    if (file === undefined) return { read: 0, refused: 1 };
    const changes = file.documents.map(({ text }) => {
      const words = [...text.matchAll(WORD)].filter(() => random.uniform() < 0.3);
      const replacements = words.map(({ 0: word, index }) => ({
        ...{ type: 'PHI', start: index, end: index + word.length, text: instead ?? word },
      }));
      return new TextChange(text, replacements);
    });
    const written = refusable(() => {
      for (const [index, document] of file.documents.entries())
        document.change(changes[index] as TextChange);
      return file.format();
    });
    if (written === undefined) return { read: 0, refused: 1 };
    const again = readLayers(written, format, 'a', treatment).documents.map(({ text }) => text);
    const expected = changes.map(({ after }) => after);
    expectThat(JSON.stringify(again) === JSON.stringify(expected), 'it reads back as changed');
    return { read: 1, refused: 0 };
  };
}

function lineCount(input: Buffer): number {
  let count = 0;
  for (const line of input.toString('latin1').split('\n'))
    if (!isBlank(Buffer.from(line, 'latin1'))) count++;
  return count;
}

async function runJsonl(input: Buffer, random: Random): Promise<Outcome> {
  const outcome = await outcomeOf(
    parseJsonl(readLines(chunksOf(input, random)), 'f', 'f'),
    (document) => {
      checkDocument(document);
      const again = checkedDocument(parseJsonlDocument(formatJsonl(document), '', 'f'));
      expectThat(JSON.stringify(again) === JSON.stringify(document), 'JSONL reads back the same');
    },
  );
  const lines = lineCount(input);
  expectThat(outcome.read + outcome.refused === lines, 'no line is lost');
  return outcome;
}

/** Where every document is read, every line that is not blank is a token or a document start. */
async function runColumns(input: Buffer, random: Random): Promise<Outcome> {
  let words = 0;
  const outcome = await outcomeOf(
    parseConll(readLines(chunksOf(input, random)), 'f', 'f'),
    (document) => {
      checkDocument(document);
      words += document.text === '' ? 0 : document.text.split(/[\n ]+/).length;
    },
  );
  const lines = lineCount(input);
  expectThat(outcome.refused > 0 || words + outcome.read >= lines, 'no token is lost');
  return outcome;
}

function runBrat(input: Buffer): Promise<Outcome> {
  const [text = '', annotations = ''] = input.toString().split('\f');
  return outcomeOf(one(() => parseBrat(text, annotations, 'f', 'f')));
}

async function runGzip(input: Buffer, random: Random): Promise<Outcome> {
  return outcomeOf(parseJsonl(readLines(unpackedStream(chunksOf(input, random), 'f')), 'f', 'f'));
}

/** Of a file that holds one document. */
function runWhole(parse: (text: string, id: string, origin: string) => RawDocument) {
  return (input: Buffer) => outcomeOf(one(() => parse(decodeUtf8(input, 'f'), 'f', 'f')));
}

async function* eachOf(input: Buffer): AsyncGenerator<() => RawDocument> {
  yield* parseBiocJson(decodeUtf8(input, 'f'), 'f', 'f');
}

async function runPdf(input: Buffer): Promise<Outcome> {
  try {
    checkDocument(checkedDocument(await parsePdf(input, 'f', 'f')));
    return { read: 1, refused: 0 };
  } catch (error) {
    requireRefusal(error);
    return { read: 0, refused: 1 };
  }
}

/** A run that finds every `Ana`; what is left of one was passed over. */
async function runRecord(
  clean: (text: string, context: RecordContext) => Promise<string>,
  input: Buffer,
): Promise<Outcome> {
  const edit = async (text: string) =>
    Array.from(text.matchAll(/Ana/g), ({ index }) => ({ start: index, end: index + 3, text: '' }));
  const context = new RecordContext(edit, new Renaming(), new RecordCounts());
  try {
    const text = await clean(decodeUtf8(input, 'f'), context);
    expectThat(!/Ana\b/.test(text), 'no name is left that the pipeline finds');
    return { read: 1, refused: 0 };
  } catch (error) {
    requireRefusal(error);
    return { read: 0, refused: 1 };
  }
}

async function cleanFhir(json: string, context: RecordContext): Promise<string> {
  const value = parseExactJson(json);
  if (value === undefined) throw new TacetError('record-invalid', 'f: no JSON');
  return formatExactJson(await deidentifyResource(value, context, 'f'));
}

function runTokeniser(input: Buffer): Outcome {
  const text = input.toString();
  const tokens = tokenise(text);
  let at = 0;
  for (const { start, end, text: word } of tokens) {
    expectThat(start >= at && end > start, 'tokens are in order');
    expectThat(/^[\s\u0085]*$/.test(text.slice(at, start)), 'only white space is between tokens');
    expectThat(text.slice(start, end) === word, 'a token has the text at its offsets');
    at = end;
  }
  expectThat(/^[\s\u0085]*$/.test(text.slice(at)), 'only white space is behind the last token');
  return { read: tokens.length, refused: 0 };
}

function runSentences(input: Buffer): Outcome {
  const text = input.toString();
  const tokens = tokenise(text);
  const sentences = splitSentences(text, tokens);
  let at = 0;
  for (const sentence of sentences) {
    const { length } = sentence;
    expectThat(length > 0 && length <= MAX_SENTENCE_TOKENS, 'a sentence is within its cap');
    for (const token of sentence) expectThat(token === tokens[at++], 'tokens keep their order');
  }
  expectThat(at === tokens.length, 'no token is lost');
  return { read: sentences.length, refused: 0 };
}

function runDetection(input: Buffer): Outcome {
  const format = formatOfContent(input.toString('utf8', 0, HEAD_CHARACTERS));
  return { read: format === undefined ? 0 : 1, refused: format === undefined ? 1 : 0 };
}

export const TARGETS: Readonly<Record<string, Target>> = {
  i2b2: {
    samples: XML,
    run: (input) => outcomeOf(one(() => parseI2b2Xml(decodeUtf8(input, 'f'), 'f', 'f'))),
  },
  brat: { samples: BRAT, run: runBrat },
  conll: { samples: COLUMNS, run: runColumns },
  jsonl: { samples: JSONL, run: runJsonl },
  'jsonl written back': { samples: JSONL, run: writtenBack('jsonl') },
  'Label Studio written back': { samples: TASKS, run: writtenBack('label-studio') },
  'BioC JSON written back': { samples: BIOC_JSON, run: writtenBack('bioc-json') },
  'CAS JSON written back': { samples: CAS_JSON, run: writtenBack('cas-json') },
  'BioC XML written back': { samples: BIOC_XML, run: writtenBack('bioc') },
  'CAS XMI written back': { samples: CAS_XMI, run: writtenBack('xmi') },
  'WebAnno TSV written back': { samples: WEBANNO, run: writtenBack('webanno') },
  presidio: {
    samples: ARRAYS,
    run: (input, random) => outcomeOf(parsePresidio(readArray(chunksOf(input, random), 'f'), 'f')),
  },
  'asq-phi': {
    samples: QUERIES,
    run: (input, random) => outcomeOf(parseAsqPhi(readLines(chunksOf(input, random)), 'f')),
  },
  'label-studio': {
    samples: TASKS,
    run: (input, random) =>
      outcomeOf(
        parseLabelStudio(readArray(chunksOf(input, random), 'f', { orOne: true }), 'f', 'f'),
      ),
  },
  bioc: {
    samples: BIOC_XML,
    run: (input, random) => outcomeOf(parseBiocXml(chunksOf(input, random), 'f', 'f')),
  },
  'bioc-json': { samples: BIOC_JSON, run: (input) => outcomeOf(eachOf(input)) },
  'cas-json': { samples: CAS_JSON, run: runWhole(parseCasJson) },
  xmi: { samples: CAS_XMI, run: runWhole(parseCasXmi) },
  fhir: { samples: FHIR, run: (input) => runRecord(cleanFhir, input) },
  cda: {
    samples: CDA,
    run: (input) => runRecord((xml, context) => deidentifyCda(xml, context, 'f'), input),
  },
  webanno: { samples: WEBANNO, run: runWhole(parseWebanno) },
  pdf: { samples: PDF, share: 1 / 25, run: runPdf },
  gzip: { samples: GZIP, run: runGzip },
  detection: {
    samples: [
      ...[...XML, ...JSONL, ...COLUMNS, ...ARRAYS, ...TEXTS, ...BIOC_XML, ...BIOC_JSON],
      ...[...CAS_JSON, ...CAS_XMI, ...WEBANNO, ...TASKS],
    ],
    run: runDetection,
  },
  tokeniser: { samples: TEXTS, run: runTokeniser },
  sentences: { samples: TEXTS, run: runSentences },
};
