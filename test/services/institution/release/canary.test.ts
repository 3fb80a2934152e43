import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { Random } from '../../../../models/tensor/random.js';
import { tokenise } from '../../../../models/text/tokeniser.js';
import { bytesBelow, countOf, decoded, encodingsOf, unpacked } from '../../byte-search.js';
import { startRecordingProxy } from '../../recording-proxy.js';
import { tacet } from '../../serve-process.js';
import { createWorld, serve } from '../../world.js';
import { cacheOf, createPublisher, removePublisher } from '../publisher.js';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const LETTERS_AND_DIGITS = `${LETTERS}0123456789`;
const CONTROL_SETS = 6;
/** Short words that new digests and ids hold by chance, which stand in several lines; all words once are some 55. */
const ALLOWED = 25;

// Another text every time: nothing in it can have become a word of the project.
const random = new Random(Date.now() % 2 ** 31);

function word(length: number, alphabet = LETTERS): string {
  return Array.from({ length }, () => alphabet[random.integer(alphabet.length)]).join('');
}

const words = (count: number, lengths: readonly number[]) =>
  Array.from({ length: count }, (_, i) => word(lengths[i % lengths.length] as number));

/** One with digits is several tokens: so many that pieces of their sentences, of whatever lengths, are of notes enough to leave. */
const canaries = [
  ...Array.from({ length: 20 }, () => word(12)),
  ...Array.from({ length: 60 }, () => word(12, LETTERS_AND_DIGITS)),
];
const longWords = words(60, [8, 9, 11, 14]);
const SHORT_LENGTHS = [3, 4, 5, 6, 7];
const shortWords = words(60, SHORT_LENGTHS);
const controls = Array.from({ length: CONTROL_SETS }, () => words(60, SHORT_LENGTHS));

/** The model knows these; all others look the same to it. */
const knownWords = [...longWords.slice(30), ...shortWords.slice(30)];

/** Two known words that no other sentence ends with, so that none is a copy of another to the model. */
function ending(sentence: number): string[] {
  const count = knownWords.length;
  const second = sentence + 1 + Math.floor(sentence / count);
  return [sentence, second].map((at) => knownWords[at % count] as string);
}

/** Notes in which every word above stands at least once; each canary stands in some sentence, as PHI or not, and names a note. */
function notesText(): string {
  const fillers = [...longWords, ...shortWords];
  random.shuffle(fillers);
  const notes = canaries.map((canary, i) => {
    const sentences = Array.from({ length: 6 }, (_, j) => {
      const filler = Array.from({ length: 8 }, () => fillers[random.integer(fillers.length)]);
      filler.push(fillers[(6 * i + j) % fillers.length], ...ending(6 * i + j));
      return `${filler.join(' ')} ${j === i % 6 ? canary : word(5)}.`;
    });
    const text = sentences.join('\n\n');
    const start = text.indexOf(canary);
    const spans = i % 2 ? [{ start, end: start + canary.length, label: 'PATIENT' }] : [];
    return JSON.stringify({ id: `${canary}-${i}`, text, spans });
  });
  return `${notes.join('\n')}\n`;
}

const NOTES = notesText();

/** Notes of other words, which the model does not know: to it their sentences differ in length alone. */
function otherNotesText(): string {
  const notes = Array.from({ length: 20 }, (_, i) => {
    const text = `${words(3 + i, [10]).join(' ')}.`;
    return JSON.stringify({ id: `${i}`, text, spans: [] });
  });
  return `${notes.join('\n')}\n`;
}

describe('the search', () => {
  test.each([
    ['UTF-8', (text: string) => Buffer.from(`x${text}y`)],
    ['UTF-16LE', (text: string) => Buffer.from(`x${text}y`, 'utf16le')],
    ['UTF-16BE', (text: string) => Buffer.from(`x${text}y`, 'utf16le').swap16()],
    ['base64, first place', (text: string) => Buffer.from(btoa(`xyz${text}abc`))],
    ['base64, second place', (text: string) => Buffer.from(btoa(`x${text}abc`))],
    ['base64, third place', (text: string) => Buffer.from(btoa(`xy${text}abc`))],
    ['hex', (text: string) => Buffer.from(Buffer.from(text).toString('hex'))],
    [
      'hex in capitals',
      (text: string) => Buffer.from(Buffer.from(text).toString('hex').toUpperCase()),
    ],
    ['reverse', (text: string) => Buffer.from([...text].reverse().join(''))],
    ['gzip', (text: string) => Buffer.concat([Buffer.from('x'), gzipSync(`note ${text}`)])],
    ['deflate', (text: string) => Buffer.concat([Buffer.from('x'), deflateSync(`note ${text}`)])],
  ])('finds a canary in %s', (_, leak) => {
    for (const canary of canaries)
      expect(countOf(canary, unpacked(leak(canary)))).toBeGreaterThan(0);
  });

  test.each([
    ['hex', (text: string) => Buffer.from(`0${Buffer.from(`of ${text}`).toString('hex')}`)],
    ['base64', (text: string) => Buffer.from(btoa(`a note of ${text}`))],
    ['base64 within other text', (text: string) => Buffer.from(`seen${btoa(`xy${text}`)}`)],
    ['UTF-16', (text: string) => Buffer.from(`x${text}`, 'utf16le')],
    ['reverse', (text: string) => Buffer.from([...text].reverse().join(''))],
  ])('finds a word of eight characters in what was decoded from %s', (_, leak) => {
    for (const each of longWords) expect(decoded(leak(each)).includes(each)).toBe(true);
  });

  test('knows more than ten spellings of a word', () => {
    expect(encodingsOf('canary').length).toBeGreaterThan(10);
  });
});

describe('when notes are encoded and contributed', () => {
  const root = mkdtempSync(join(tmpdir(), 'tacet-canary-'));
  let haystack: Buffer;
  /** What the same commands left of other notes, in the same folders and with the same servers and tokens. */
  let ofOtherNotes: Buffer;
  let cacheBefore: Buffer;
  let cacheAfter: Buffer;
  let sentences: number;

  beforeAll(async () => {
    for (const name of ['tmp', 'user', 'input']) mkdirSync(join(root, name));
    const publisher = await createPublisher([...canaries.slice(0, 5), ...knownWords]);
    const world = await createWorld();
    const log: Buffer[] = [];
    const logged = new Writable({
      write: (chunk, _encoding, done) => {
        log.push(Buffer.from(chunk));
        done();
      },
    });
    const servers = await serve(world, { logger: pino({ level: 'trace' }, logged) });
    const proxy = await startRecordingProxy(servers.addresses.pool ?? '');
    Object.assign(process.env, {
      TACET_CACHE: cacheOf(publisher.root),
      TMPDIR: join(root, 'tmp'),
      HOME: join(root, 'user'),
    });
    const file = (name: string, content: string) => {
      writeFileSync(join(root, 'input', name), content, { mode: 0o600 });
      return join(root, 'input', name);
    };
    const key = world.keys.institution.export({ type: 'pkcs8', format: 'pem' });
    const keyFile = file('private.pem', key.toString());
    const tokenFile = file('token', world.tokens.institution);
    const notes = file('notes.jsonl', NOTES);
    const bad = file('bad.jsonl', badNotesText());
    const home = ['--home', join(root, 'home')];
    const model = [
      ...['--model', publisher.representation, '--trust', publisher.publicKeyFile],
      ...['--embeddings', publisher.embeddingsFile],
    ];
    const newHome = ['--new-home', join(root, 'home')];
    const pool = ['--pool', proxy.url, '--token-file', tokenFile, '--key', keyFile];

    const left = (home: string, outcomes: readonly { stdout: string; stderr: string }[]) => [
      ...[join(root, home), join(root, 'tmp'), join(root, 'user'), world.data].map(bytesBelow),
      ...[...log, proxy.sent, proxy.received],
      ...outcomes.flatMap(({ stdout, stderr }) => [Buffer.from(stdout), Buffer.from(stderr)]),
    ];

    const otherNotes = file('other-notes.jsonl', otherNotesText());
    const otherHome = join(root, 'other-home');
    const others = [
      await tacet(
        ...['--json', 'encode', otherNotes, ...model, '--new-home', otherHome, '--without-phi'],
      ),
      await tacet('contribute', '--home', otherHome, ...pool),
    ];
    expect(others.map(({ code }) => code)).toEqual([0, 0]);
    ofOtherNotes = unpacked(Buffer.concat(left('other-home', others)));

    cacheBefore = bytesBelow(cacheOf(publisher.root));
    const refused = await tacet('encode', bad, ...model, ...newHome);
    const encoded = await tacet('--json', 'encode', notes, ...model, ...newHome);
    const kept = [bytesBelow(join(root, 'home'))];
    const contributed = await tacet('contribute', ...home, ...pool);
    const again = await tacet('encode', notes, ...model, ...home);
    cacheAfter = bytesBelow(cacheOf(publisher.root));

    expect([refused, encoded, contributed, again].map(({ code }) => code)).toEqual([3, 0, 0, 0]);
    sentences = JSON.parse(encoded.stdout).released;
    kept.push(...left('home', [refused, encoded, contributed, again]));
    haystack = unpacked(Buffer.concat(kept));
    await proxy.close();
    await servers.close();
    world.remove();
    await removePublisher(publisher);
  }, 240_000);
  afterAll(() => rmSync(root, { recursive: true }));

  test('the vectors did leave', () => {
    expect(sentences).toBe(6 * canaries.length);
    expect(countOf('/v1/contributions', haystack)).toBeGreaterThan(0);
  });

  test('no canary is in anything that left or was written', () => {
    for (const canary of canaries) {
      for (const spelling of [canary, canary.toUpperCase()])
        expect([spelling, countOf(spelling, haystack)]).toEqual([spelling, 0]);
    }
  });

  test('no token of eight or more characters is', () => {
    const tokens = new Set(
      tokenise(NOTES)
        .map(({ text }) => text)
        .filter((text) => text.length >= 8),
    );
    for (const text of longWords) expect(tokens).toContain(text);
    for (const text of longWords) expect([text, countOf(text, haystack)]).toEqual([text, 0]);
  });

  test('shorter tokens are no more often than words that were never encoded', () => {
    // A short word may be a part of a word of the logs, of a token or of a folder's name, which stand there
    // many times. Such words tell nothing, and what other notes left says which they are.
    const counts = (list: readonly string[]) =>
      list
        .filter((text) => countOf(text, ofOtherNotes) === 0)
        .reduce((sum, text) => sum + countOf(text, haystack), 0);
    const chance = controls.map(counts);
    const mean = chance.reduce((sum, count) => sum + count, 0) / chance.length;
    const spread = Math.sqrt(chance.reduce((sum, n) => sum + (n - mean) ** 2, 0) / chance.length);
    expect(counts(shortWords)).toBeLessThanOrEqual(
      mean + 5 * Math.max(spread, Math.sqrt(mean)) + ALLOWED,
    );
  });

  test('the cache of the embeddings is as it was before', () => {
    expect(cacheAfter.equals(cacheBefore)).toBe(true);
  });
});

/** A span outside the text, a broken line: both in notes that hold canaries. */
function badNotesText(): string {
  const [one, two] = canaries;
  const outside = {
    id: one,
    text: `seen by ${one}`,
    spans: [{ start: 0, end: 999, label: 'DATE' }],
  };
  return `${JSON.stringify(outside)}\n{"text":"${two}\n`;
}
