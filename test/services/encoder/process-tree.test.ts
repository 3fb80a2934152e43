import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { generateNotes } from '../../../models/synthetic/generate-notes.js';
import { Random } from '../../../models/tensor/random.js';
import { readCorpus } from '../../../models/text/corpus/read-corpus.js';
import type { Document } from '../../../models/text/document.js';
import { tokenise } from '../../../models/text/tokeniser.js';
import { dataAt } from '../../shared-data.js';
import { countOf, decoded } from '../byte-search.js';
import { cacheOf, createPublisher, removePublisher } from '../institution/publisher.js';
import { createWorld, serve } from '../world.js';
import { type Visit, visitOf } from './encoder-visit.js';

const NOTES = 6;
const CANARIES = 20;

const random = new Random(Date.now() % 2 ** 31);

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const letter = () => LETTERS[random.integer(LETTERS.length)] as string;

function canary(): string {
  return Array.from({ length: 12 }, letter).join('');
}

const canaries = (): string[] => Array.from({ length: CANARIES }, canary);

/** Real notes where they are at hand, generated ones elsewhere. */
async function notes(): Promise<Document[]> {
  const corpus = dataAt('meddocan/dev');
  if (corpus === undefined)
    return [...generateNotes({ seed: random.integer(1000), documents: NOTES })];
  const found: Document[] = [];
  for await (const document of readCorpus(corpus)) {
    found.push(document);
    if (found.length === NOTES) break;
  }
  return found;
}

/** Canaries before, within and after the text, each once as a name and once as a word. */
function planted(document: Document, canaries: readonly string[]) {
  const text = `${canaries.join(' ')}.\n\n${document.text}\n\nSeen with ${canaries.join(' and ')}.`;
  const spans = canaries.map((each) => {
    const start = text.lastIndexOf(each);
    return { type: 'PHI', start, end: start + each.length };
  });
  return { id: canaries[0] ?? 'note', text, spans };
}

/** The note with other letters and digits in all its words, so that none of them is left. */
function otherWords(document: Document): Document {
  const text = document.text
    .replace(/\p{Lu}/gu, () => letter().toUpperCase())
    .replace(/[^\P{L}A-Z]/gu, letter)
    .replace(/\p{N}/gu, () => String(random.integer(10)));
  return { ...document, text };
}

/** Of ASCII letters alone: each other byte may be a part of a letter. */
function inLowerCase(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1').replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  return Buffer.from(text, 'latin1');
}

interface Planted {
  readonly canaries: readonly string[];
  readonly texts: readonly ReturnType<typeof planted>[];
  /** Every word of eight or more characters. */
  readonly words: readonly string[];
}

function plantedIn(documents: readonly Document[]): Planted {
  const own = canaries();
  const share = CANARIES / NOTES;
  const texts = documents.map((document, i) =>
    planted(document, own.slice(Math.floor(i * share), Math.floor((i + 1) * share))),
  );
  const tokens = texts.flatMap(({ text }) => tokenise(text).map((token) => token.text));
  return {
    canaries: own,
    texts,
    words: [...new Set(tokens)].filter((word) => word.length >= 8),
  };
}

const linux = process.platform === 'linux' ? describe : describe.skip;

linux('the process tree of an encoder', () => {
  const root = mkdtempSync(join(tmpdir(), 'tacet-tree-'));
  const at = (...names: string[]) => join(root, ...names);
  let real: Planted;
  let visit: Visit;
  /** The same over other words: what is found here too is the project's own vocabulary. */
  let stranger: Planted;
  let control: Visit;
  /** What to end, last first, however far the preparation came. */
  const closing: (() => unknown)[] = [];

  beforeAll(async () => {
    const documents = await notes();
    real = plantedIn(documents);
    stranger = plantedIn(documents.map(otherWords));
    const known = [real, stranger].flatMap(({ words }) =>
      [...new Set(words.map((word) => word.toLowerCase()))].filter((_, i) => i % 2 === 0),
    );
    const publisher = await createPublisher([...known, 'the', 'of', 'de', 'la', 'y']);
    closing.push(() => removePublisher(publisher));
    const world = await createWorld();
    closing.push(world.remove);
    const servers = await serve(world);
    closing.push(servers.close);
    const file = (name: string, content: string) => {
      writeFileSync(at(name), content, { mode: 0o600 });
      return at(name);
    };
    const policy = file(
      'policy.json',
      JSON.stringify({
        publisherKeys: [publisher.publicKeyFile],
        maxReleases: 1,
        minDocuments: 1,
        entities: 'kept',
        certifiedLimit: 1,
        neighbours: 4,
      }),
    );
    const model = ['--embeddings', publisher.embeddingsFile, '--policy', policy];
    const encoding = [...model, '--model', publisher.representation];
    const pem = world.keys.institution.export({ type: 'pkcs8', format: 'pem' }).toString();
    const sender = [
      ...['--token-file', file('token', world.tokens.institution)],
      ...['--key', file('private.pem', pem)],
    ];
    const institution = {
      encoding,
      deidentifying: ['--pipeline', publisher.pipeline],
      sender,
      pool: servers.addresses.pool ?? '',
      cache: cacheOf(publisher.root),
      closing,
    };
    control = await visitOf({ ...institution, folder: at('control'), texts: stranger.texts });
    visit = await visitOf({ ...institution, folder: at('visit'), texts: real.texts });
  }, 480_000);
  afterAll(async () => {
    for (const close of closing.reverse()) await close();
    rmSync(root, { recursive: true });
  });

  test('released something, in processes that were watched', () => {
    expect(visit.released).toBeGreaterThan(10);
    expect(visit.seen).toHaveLength(3);
    for (const { processes } of visit.seen) expect(processes.size).toBeGreaterThan(0);
    expect(visit.seen.some(({ written }) => written.size > 0)).toBe(true);
    expect(readdirSync(at('visit', 'home'))).toContain('ledger.db');
  });

  test('holds no file open for writing but below home, temporary folder and terminal', () => {
    const allowed = ['home', 'served', 'tmp', 'user'].map((name) => at('visit', name) + sep);
    for (const path of visit.seen.flatMap(({ written }) => [...written])) {
      const isOurs = allowed.some((place) => path.startsWith(place)) || path.startsWith('/dev/');
      expect([path, isOurs]).toEqual([path, true]);
    }
  });

  test('speaks to nobody but the pool', () => {
    const port = visit.proxyPort.toString(16).toUpperCase().padStart(4, '0');
    const [encoded, contributed] = visit.seen;
    expect([...(encoded?.peers ?? [])]).toEqual([]);
    for (const peer of contributed?.peers ?? []) expect(peer).toMatch(new RegExp(`:${port}$`));
  });

  test('leaves no canary in a file, line, metric, argument or socket', () => {
    for (const each of real.canaries)
      for (const spelling of [each, each.toUpperCase()])
        expect([spelling, countOf(spelling, visit.haystack)]).toEqual([spelling, 0]);
  });

  test('leaves no word of eight or more characters that it does not leave of other notes too', () => {
    const found = (haystack: Buffer) => {
      const bytes = inLowerCase(decoded(haystack));
      return real.words.filter((word) => bytes.includes(inLowerCase(Buffer.from(word))));
    };
    const texts = (planted: Planted) => Buffer.from(JSON.stringify(planted.texts));
    expect(real.words.length).toBeGreaterThan(100);
    expect(found(texts(real))).toEqual(real.words);
    expect(found(texts(stranger))).toEqual([]);
    const vocabulary = found(control.haystack);
    expect(found(visit.haystack).filter((word) => !vocabulary.includes(word))).toEqual([]);
  });
});
