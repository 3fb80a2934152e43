import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from '@jest/globals';
import { createBundle } from '../../models/bundle/bundle.js';
import type { ManifestFields } from '../../models/bundle/manifest.js';
import { noiseOf } from '../../models/bundle/noise.js';
import { joinParts } from '../../models/bundle/parts.js';
import { readSignature, writeSignature } from '../../models/bundle/signature-file.js';
import { statedScheme } from '../../models/bundle/stated-scheme.js';
import type { Embeddings } from '../../models/embeddings/embeddings.js';
import { rowVector } from '../../models/embeddings/embeddings.js';
import { convertedPath, openEmbeddings } from '../../models/embeddings/open.js';
import { deidentifierWeights } from '../../models/networks/deidentifier.js';
import {
  DEIDENTIFIER_DEFAULTS,
  type DeidentifierConfig,
  VECTORS_ALONE,
} from '../../models/networks/deidentifier-config.js';
import { Representation, representationWeights } from '../../models/networks/representation.js';
import type { RepresentationConfig } from '../../models/networks/representation-config.js';
import { generateNotes } from '../../models/synthetic/generate-notes.js';
import { useBackend } from '../../models/tensor/backend.js';
import { Random } from '../../models/tensor/random.js';
import { crfMarginals, crfViterbi } from '../../models/tensor/reference/crf.js';
import * as abbreviations from '../../models/text/abbreviations.js';
import { blocksOf } from '../../models/text/blocks.js';
import { casingOf } from '../../models/text/casing.js';
import { CODES_A_WORD, writeCodes } from '../../models/text/character-codes.js';
import { codePointSpans } from '../../models/text/corpus/code-points.js';
import type { Document } from '../../models/text/document.js';
import { loadLabelScheme } from '../../models/text/label-scheme.js';
import { splitSentences } from '../../models/text/sentence-splitter.js';
import { TOKENISATION, tokenise } from '../../models/text/tokeniser.js';
import { sha256Hex } from '../../proto/digest.js';
import { sign } from '../../proto/dsse.js';
import {
  openTaggingModel,
  type TaggingModel,
} from '../../services/institution/bundles/tagging-model.js';
import { findByModel } from '../../services/institution/deidentify/recognisers/find-phi.js';
import { randomWeights } from '../models/bundle/manifest-fields.js';
import { segmentOf } from '../services/made-world.js';
import { ROOT } from '../shared-data.js';
import { pythonHas, runUnittest, testWithPython } from './run-python.js';

/** Without it nothing in Python asks what TypeScript finds. */
const RUNS_PIPELINES = pythonHas('numpy');

const MINUTES_MS = 10 * 60_000;
const NOTES = Number(process.env.TACET_PYTHON_NOTES ?? 150);
/** For the pipelines that nobody trained. */
const FEW_NOTES = 40;
const E = 6;
const D = 5;
const TINY = join(ROOT, 'test/models/embeddings/fixtures/tiny.bin');
const STATEMENT_TYPE = 'application/vnd.in-toto+json';

/** Pieces that notes seldom have and every text may: letters of many scripts, marks, breaks, emoji. */
const PIECES = [
  ...['Dr', '.', ' ', ' ', ' ', '\n', '\n\n', '\r\n', '\r', '\f', '\u0085', '\u2028', '\u2029'],
  ...['e.g.', 'z. B.', 'p. ej.', 'C/.', '3. Mai', 'die 2. Operation', 'No.', '5', '12', '1.', 'a)'],
  ...['Nombre', ':', 'Fecha de ingreso', '- ', '• ', '»', '«', '"', ')', '!', '?', '…', ',', ';'],
  ...['Ana', 'ANA', 'MªJosé', 'eMail', 'x2', '25yo', '😀', 'é', 'e\u0301', '\u200d', '\ufeff'],
  ...['ǅ', 'ß', 'İ', 'Σ', '٣', '²', '东京', 'здоровье', 'ª', 'K', '\u00a0', '𝒜', '𐐀', '_', '/'],
  ...['The', 'patient', 'was', 'seen', 'und', 'kein', 'Jr', 'J', 'etc', 'mg', 'str', 'Bahnhofstr'],
];

/** The same with accents as part of their letters and as marks of their own. */
const ACCENTED = ['NFC', 'NFD'].map((form) =>
  'Ingresó José Martínez Núñez, de Córdoba. Visto por el Dr. Íñigo Zúñiga.'.normalize(form),
);

describe('the Python client', () => {
  let root: string;
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const trust = { trustedKeys: [publicKey] };
  const at = (name: string) => join(root, name);
  const write = (name: string, content: unknown) =>
    writeFileSync(at(name), JSON.stringify(content));
  const notes = [
    ...ACCENTED,
    ...[...generateNotes({ seed: 11, documents: NOTES })].map(({ text }) => text),
  ];

  beforeAll(async () => {
    await useBackend();
    root = mkdtempSync(join(tmpdir(), 'tacet-python-pipeline-'));
    writeFileSync(at('publisher.pem'), publicKey.export({ type: 'spki', format: 'pem' }));
  });
  afterAll(() => rmSync(root, { recursive: true }));

  testWithPython('splits text into tokens, sentences and blocks as TypeScript does', async () => {
    const random = new Random(3);
    const piece = () => PIECES[random.integer(PIECES.length)] as string;
    const odd = Array.from({ length: 3000 }, () =>
      Array.from({ length: 1 + random.integer(60) }, piece).join(random.integer(2) ? ' ' : ''),
    );
    const texts = ['', ...notes.slice(0, 150), ...odd].map((text) => {
      const tokens = tokenise(text);
      const sentences = splitSentences(text, tokens).map(({ length }) => length);
      return { text, tokens: tokens.map(({ start, end }) => [start, end]), sentences };
    });
    const spelt = new Set(texts.flatMap(({ text }) => tokenise(text).map((token) => token.text)));
    const words = Array.from(spelt, (word) => {
      const codes = new Uint16Array(CODES_A_WORD);
      writeCodes(word.toLowerCase(), codes);
      return { word, casing: casingOf(word), codes: [...codes] };
    });
    const long = [' ', '\n', '\n \u00a0\n', '😀', 'é.'].map((between) => {
      const text = Array.from({ length: 15_000 }, () => piece().trim()).join(between);
      return { text, starts: Array.from(blocksOf(text), ({ start }) => start) };
    });
    long.push(...['😀', 'x', 'x😀'].map((each) => each.repeat(40_000)).map(cut));
    const lists = Object.entries(abbreviations).map(([name, list]) => [name, [...list]]);
    write('texts.json', { texts, words, long, abbreviations: Object.fromEntries(lists) });
    await runUnittest('test_text', root);
  });

  const cut = (text: string) => ({
    text,
    starts: Array.from(blocksOf(text), ({ start }) => start),
  });

  testWithPython(
    'finds what TypeScript finds in invented notes, from the same bundles and word vectors',
    async () => {
      await prepared();
      await runUnittest('test_pipeline', root);
    },
    MINUTES_MS,
  );

  testWithPython(
    'serves datasets, Presidio and spaCy where they are installed, and says what to install elsewhere',
    async () => {
      await prepared();
      writeFileSync(at('snapshot.segment'), segmentOf(40, 3));
      await runUnittest('test_integrations', root);
    },
    MINUTES_MS,
  );

  let preparing: Promise<void> | undefined;
  const prepared = () => {
    preparing ??= makePipelines();
    return preparing;
  };

  async function makePipelines(): Promise<void> {
    const opened = await makeEmbeddings();
    const pipelines = [];
    for (const [index, make] of [onReleases, onBoth, onText, onTextPlain, sequences].entries())
      pipelines.push(await make(`pipeline-${index}`, opened));
    pipelines.push(await readyPipeline());
    write('notes.json', notes);
    write('pipelines.json', pipelines);
    await makeUnsuitable();
  }

  testWithPython(
    'decodes labels as TypeScript does, and as every path of a field says',
    async () => {
      const random = new Random(8);
      const [L, T, lengths] = [5, 9, [9, 1, 6, 3]];
      const draw = (count: number) => Float32Array.from(random.normals(count), (z) => 2 * z);
      const crf = { transitions: draw(L * L), start: draw(L), end: draw(L) };
      const emissions = draw(lengths.length * T * L);
      const [batch, steps, labelCount] = [lengths.length, T, L];
      const field = { batch, steps, labelCount, lengths: Int32Array.from(lengths), emissions };
      const marginals = crfMarginals({ ...field, ...crf });
      const posteriors = lengths.map((length, row) => [
        ...marginals.subarray(row * T * L, (row * T + length) * L),
      ]);
      const plain = Object.entries({ ...crf, emissions }).map(([name, data]) => [name, [...data]]);
      const paths = [...crfViterbi({ ...field, ...crf })];
      write('crf.json', { ...Object.fromEntries(plain), lengths, L, T, paths, posteriors });
      await runUnittest('test_crf', root);
    },
  );

  /** Half of the words of the notes in a `.vec` file, and a fastText model of 16 other words. */
  async function makeEmbeddings(): Promise<Record<'vec' | 'bin', Embeddings>> {
    const words = new Set(notes.flatMap((text) => tokenise(text).map((token) => token.text)));
    const random = new Random(4);
    const kept = [...words].filter((_, i) => i % 2 === 0);
    const lines = kept.map((word) => `${word} ${[...random.normals(E)].join(' ')}`);
    writeFileSync(at('words.vec'), `${kept.length} ${E}\n${lines.join('\n')}\n`);
    copyFileSync(TINY, at('tiny.bin'));
    const cacheDir = at('cache');
    const vec = await openEmbeddings(at('words.vec'), { cacheDir });
    const bin = await openEmbeddings(at('tiny.bin'), { cacheDir });
    const asked = [...words].slice(0, 400).concat('María', 'MARÍA', '</s>', 'a', '東京', 'x');
    const cases = [];
    for (const [source, embeddings] of [
      ['words.vec', vec],
      ['tiny.bin', bin],
    ] as const) {
      copyFileSync(convertedPath(embeddings.identity, cacheDir), at(`${source}.matrix`));
      const found = Object.fromEntries(asked.map((word) => [word, lookedUp(word, embeddings)]));
      for (const file of [source, `${source}.matrix`])
        cases.push({ file, identity: embeddings.identity, words: found });
    }
    write('vectors.json', cases);
    return { vec, bin };
  }

  function lookedUp(word: string, embeddings: Embeddings): [string | null, number[] | null] {
    const row = embeddings.row(word);
    if (row < 0) {
      const vector = embeddings.subwordVector(word.toLowerCase());
      return [null, vector ? [...vector] : null];
    }
    const { words, matrix, dimension } = embeddings;
    return [words[row] as string, [...rowVector(matrix, dimension, row)]];
  }

  const onReleases = (bundle: string, { vec }: { readonly vec: Embeddings }) =>
    pipeline(bundle, 'words.vec', vec, {
      representation: {
        ...{ embeddingDimension: E, units: 6, dimension: D, casing: true, residual: true },
        ...{ initialInputStddev: 0.2, initialOutputStddev: 0.4 },
        ...{ characters: 'cnn', characterDimension: 4, characterUnits: 3 },
      },
      deidentifier: { ...VECTORS_ALONE, inputDimension: D, units: 6, layers: 2 },
    });

  /** Words beside vectors, each with trained vectors of its own for words without one. */
  const onBoth = (bundle: string, { vec }: { readonly vec: Embeddings }) =>
    pipeline(bundle, 'words.vec', vec, {
      representation: {
        ...{ embeddingDimension: E, units: 6, dimension: D },
        ...{ initialInputStddev: 0.2, initialOutputStddev: 0.4 },
      },
      deidentifier: {
        ...{ inputDimension: D, wordDimension: E, units: 6, layers: 1 },
        ...{ characters: 'cnn', characterDimension: 4, characterUnits: 3 },
      },
    });

  const onText = (bundle: string, { bin }: { readonly bin: Embeddings }) =>
    pipeline(bundle, 'tiny.bin', bin, {
      deidentifier: {
        ...{ inputDimension: bin.dimension, units: 6, layers: 1 },
        ...{ characters: 'bilstm', characterDimension: 4, characterUnits: 3 },
      },
    });

  const onTextPlain = (bundle: string, { vec }: { readonly vec: Embeddings }) =>
    pipeline(bundle, 'words.vec.matrix', vec, {
      deidentifier: { inputDimension: E, units: 6, layers: 1, casing: false },
    });

  /** Of an encoder and a decoder of attention, whose labels need no search. */
  const sequences = (bundle: string, { vec }: { readonly vec: Embeddings }) =>
    pipeline(bundle, 'words.vec', vec, {
      deidentifier: {
        ...{ inputDimension: E, units: 6, layers: 1, heads: 2, feedForward: 5, reach: 2 },
        network: 'sequence-to-sequence',
      },
    });

  interface Architecture {
    readonly representation?: RepresentationConfig;
    readonly deidentifier: Partial<DeidentifierConfig> &
      Pick<DeidentifierConfig, 'inputDimension' | 'units' | 'layers'>;
  }

  /** A pipeline of networks that nobody trained, which find much, and what TypeScript finds with it. */
  async function pipeline(
    bundle: string,
    file: string,
    embeddings: Embeddings,
    { representation, deidentifier }: Architecture,
  ) {
    const scheme = loadLabelScheme('synthetic');
    const labels = scheme.labels.length;
    const tagger = { ...DEIDENTIFIER_DEFAULTS, ...deidentifier, labels };
    const parts = {
      ...(representation && {
        representation: randomWeights(representationWeights(representation), 1),
      }),
      deidentifier: randomWeights(deidentifierWeights(tagger), 2),
    };
    const fields: ManifestFields = {
      ...{ name: 'tiny', version: '1.0.0', kind: 'pipeline', tokenisation: TOKENISATION },
      labelScheme: statedScheme(scheme),
      embeddings: {
        ...{ identity: embeddings.identity, dimension: embeddings.dimension, name: 'tiny' },
      },
      architecture: { ...(representation && { representation }), deidentifier: tagger },
      training: { objective: 'none', corpus: 'none', documents: 1, seed: 1 },
      ...(representation && {
        noise: noiseOf(Representation.fromWeights(representation, parts.representation as never)),
      }),
      scores: { binaryF1: 0 },
    };
    await createBundle(at(bundle), { fields, weights: joinParts(parts) }, privateKey);
    if (representation && !existsSync(at('representation-alone')))
      await createBundle(
        at('representation-alone'),
        {
          fields: { ...fields, kind: 'representation', architecture: { representation } },
          weights: joinParts({ representation: parts.representation as never }),
        },
        privateKey,
      );
    const model = await openTaggingModel(at(bundle), { ...trust, embeddings });
    return { bundle, embeddings: file, ...(await foundWith(model, FEW_NOTES)) };
  }

  /** `english-notes`, on which a note has no two readings that are all but as likely. */
  async function readyPipeline() {
    const bundle = join(ROOT, 'pipelines/en/bundle');
    const key = join(ROOT, 'pipelines/en/publisher.pem');
    const cacheDir = at('cache');
    const embeddings = await openEmbeddings('wink', { cacheDir });
    const trustedKeys = [createPublicKey(await readFile(key))];
    const model = await openTaggingModel(bundle, { trustedKeys, embeddings });
    const file = convertedPath(embeddings.identity, cacheDir);
    return { bundle, key, embeddings: file, ...(await foundWith(model, NOTES)) };
  }

  /** What a pipeline finds in so many of the notes, in some by thresholds, and in one of many blocks. */
  async function foundWith(model: TaggingModel, count: number) {
    const found = async (text: string, threshold?: number) => {
      const spans = await findByModel(text, model, { threshold });
      const placed = codePointSpans({ id: '', text, spans } as Document & { spans: typeof spans });
      return placed.map(({ type, start, end, confidence }) => [type, start, end, confidence]);
    };
    const spans = [];
    const asked = RUNS_PIPELINES ? notes : [];
    for (const text of asked.slice(0, count)) spans.push(await found(text));
    const byThreshold: Record<string, unknown[]> = {};
    for (const threshold of [0.05, 0.5, 0.99]) {
      const places = [];
      for (const text of asked.slice(0, 10))
        places.push((await found(text, threshold)).map((span) => span.slice(0, 3)));
      byThreshold[threshold] = places;
    }
    const long = await found(asked.slice(0, 80).join('\n\n'));
    return { spans, at: byThreshold, long: long.map((span) => span.slice(0, 3)) };
  }

  /** Bundles that are signed in order and that this client cannot use. */
  async function makeUnsuitable(): Promise<void> {
    const change = async (name: string, how: (folder: string, manifest: Manifest) => unknown) => {
      await cp(at('pipeline-0'), at(name), { recursive: true });
      const manifest = JSON.parse(await readFile(join(at(name), 'manifest.json'), 'utf8'));
      await how(at(name), manifest);
      const bytes = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
      await writeFile(join(at(name), 'manifest.json'), bytes);
      const file = join(at(name), 'signature.json');
      const { payload } = readSignature(await readFile(file));
      const statement = JSON.parse(Buffer.from(payload, 'base64').toString());
      const digests = { ...manifest.files, 'manifest.json': sha256Hex(bytes) };
      statement.subject = Object.entries(digests).map(([each, sha256]) => ({
        ...{ name: each, digest: { sha256 } },
      }));
      const envelope = sign(STATEMENT_TYPE, Buffer.from(JSON.stringify(statement)), privateKey);
      await writeFile(file, writeSignature(envelope));
    };
    await change('of-an-earlier-version', async (folder, manifest) => {
      delete manifest.files['deidentifier.onnx'];
      await rm(join(folder, 'deidentifier.onnx'));
    });
    await change('of-another-tokenisation', (_, manifest) => {
      manifest.tokenisation = 'another-1';
    });
  }

  interface Manifest {
    tokenisation: string;
    readonly files: Record<string, string>;
  }
});
