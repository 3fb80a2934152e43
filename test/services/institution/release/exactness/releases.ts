/** What `encode` leaves of corpora, with randomness played back; run as a process of its own. */

import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { WrittenFormat } from '../../../../../models/text/corpus/format.js';
import { writeCorpus } from '../../../../../models/text/corpus/write-corpus.js';
import type { Document, Span } from '../../../../../models/text/document.js';
import type { Progress } from '../../../../../platform/progress.js';
import { openDatabase } from '../../../../../platform/sqlite/database.js';
import { encode } from '../../../../../services/institution/release/encode.js';
import { makeHome } from '../../../../../services/institution/release/home/home.js';
import type { EncodeOptions } from '../../../../../services/institution/release/job/encode-options.js';
import type { SuspectTreatment } from '../../../../../services/institution/release/suspects/second-reader.js';
import { encodingModelOf, type Publisher } from '../../publisher.js';
import type { CorporaPair } from './corpora.js';
import { playFrom } from './playback.js';

export interface PlayedJob {
  readonly publisher: Publisher;
  readonly pairs: readonly CorporaPair[];
  readonly options: EncodeOptions;
  /** Has all of a word and all numbers taken for PHI outside the labels. */
  readonly suspects?: SuspectTreatment;
  /** Stops the first run once so many sentences are released, and begins anew. */
  readonly stopAfter?: number;
  /** Reads the corpora from files of a format that keeps every character and no sentence. */
  readonly from?: WrittenFormat;
  /** Replaces letters and digits of entities itself, which tells their lengths and shapes. */
  readonly leaksShape?: boolean;
  /** Labels all entities as of the type that is kept. */
  readonly callsAllKept?: boolean;
}

const LEDGER_TABLES = [
  'releases',
  'alike',
  'documents',
  'entities',
  'segments',
  'bounds',
  'history',
];

interface Left {
  /** Of all that a run leaves or says; of an error, its message. */
  readonly digest: string;
  readonly segments: number;
}

async function leftBy(documents: readonly Document[], job: PlayedJob): Promise<Left> {
  const { publisher, options, stopAfter } = job;
  const home = await mkdtemp(join(tmpdir(), 'tacet-exact-'));
  process.env.XDG_STATE_HOME = join(home, 'state');
  const said: unknown[] = [];
  try {
    playFrom(`${JSON.stringify(job.pairs.length)}`);
    const model = await encodingModelOf(publisher);
    if (job.from) await writeNotes(documents, join(home, 'notes'), job.from);
    const run = async (most: number) => {
      const controller = new AbortController();
      const progress: Progress = (event) => {
        said.push(event);
        if (event.step === 'encode' && event.done >= most) controller.abort(new Error('stopped'));
      };
      const reader = job.suspects && { treatment: job.suspects, find: suspicious };
      const whole = { labelDocuments: 1 };
      const work = { ...whole, ...options, reader, progress, signal: controller.signal };
      const place = join(home, 'home');
      const source = job.from ? { corpus: join(home, 'notes') } : documents;
      const report = await encode(source, model, place, work).catch((error) => `${error}`);
      said.push(report);
    };
    // A job that is refused takes back the home that it made, and its ledger is compared, too.
    await makeHome(join(home, 'home'));
    if (stopAfter !== undefined) await run(stopAfter);
    await run(Number.POSITIVE_INFINITY);
    model.representation.dispose();
    const outbox = join(home, 'home', 'outbox');
    const hash = createHash('sha256').update(JSON.stringify(said).replaceAll(home, ''));
    const segments = (await readdir(outbox)).filter((name) => name.endsWith('.segment')).sort();
    for (const name of segments) hash.update(name).update(await readFile(join(outbox, name)));
    const db = openDatabase(join(home, 'home', 'ledger.db'));
    for (const table of LEDGER_TABLES)
      for (const row of db.prepare(`SELECT * FROM ${table}`).all())
        hash.update(JSON.stringify(row));
    db.close();
    return { digest: hash.digest('hex'), segments: segments.length };
  } finally {
    await rm(home, { recursive: true });
  }
}

async function writeNotes(
  documents: readonly Document[],
  folder: string,
  format: WrittenFormat,
): Promise<void> {
  await mkdir(folder);
  // Of formats that hold all documents in one file; its name says how it is read.
  const file = { jsonl: 'notes.jsonl', bioc: 'notes.xml', 'label-studio': 'notes.json' }[
    format as string
  ];
  const plain = documents.map(({ id, text, spans }) => ({ id, text, spans }));
  await writeCorpus(plain, file === undefined ? folder : join(folder, file), format);
}

async function suspicious(text: string): Promise<Span[]> {
  return Array.from(text.matchAll(/beta|\p{Nd}+/gu), ({ index, 0: word }) => {
    return { type: 'PHI', start: index, end: index + word.length };
  });
}

/** As the leaks of a job would have it. */
function leaked(document: Document, { leaksShape, callsAllKept, options }: PlayedJob): Document {
  const { spans } = document;
  if (callsAllKept) return { ...document, spans: spans.map((span) => ({ ...span, type: 'ORG' })) };
  if (!leaksShape) return document;
  const shapes = shapesAlone(document);
  // As text, or it would be replaced once more.
  return options.keptTypes ? { ...shapes, spans: spans.filter(isOrganisation) } : shapes;
}

function isOrganisation({ type }: Span): boolean {
  return type === 'ORG';
}

/** As a replacement would be that keeps lengths, words and casing. */
function shapesAlone({ id, text, spans }: Document): Document {
  let masked = text;
  for (const { start, end } of spans.filter((span) => !isOrganisation(span)))
    masked = masked.slice(0, start) + shapeOf(masked.slice(start, end)) + masked.slice(end);
  return { id, text: masked, spans };
}

function shapeOf(entity: string): string {
  return entity
    .replaceAll(/\p{Lu}/gu, 'X')
    .replaceAll(/\p{L}/gu, (letter) => (letter === 'X' ? letter : 'x'))
    .replaceAll(/\p{Nd}/gu, '0');
}

/** What was found of a job's pairs. */
export interface Told {
  /** Numbers of the pairs whose two sides left anything different. */
  readonly told: readonly number[];
  /** How many left a segment. */
  readonly left: number;
}

async function play(job: PlayedJob): Promise<Told> {
  const told: number[] = [];
  let left = 0;
  for (const [number, pair] of job.pairs.entries()) {
    const sides: Left[] = [];
    for (const documents of pair)
      sides.push(
        await leftBy(
          documents.map((document) => leaked(document, job)),
          job,
        ),
      );
    if (sides[0]?.digest !== sides[1]?.digest) told.push(number);
    if (sides[0]?.segments) left++;
  }
  return { told, left };
}

/** Plays the job of each line of standard input, and prints what was found as a line of its own. */
async function main(): Promise<void> {
  for await (const line of createInterface({ input: process.stdin }))
    process.stdout.write(`${JSON.stringify(await play(JSON.parse(line)))}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
