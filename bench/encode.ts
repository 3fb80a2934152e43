import { tmpdir } from 'node:os';
import type { Vocabulary } from '../models/embeddings/vocabulary.js';
import { longestFirst, releaseEach, sentenceRows } from '../models/networks/release.js';
import { nativeFunction } from '../models/tensor/addon.js';
import { useBackend } from '../models/tensor/backend.js';
import { consume } from '../models/tensor/consume.js';
import * as tf from '../models/tensor/tf.js';
import { readCorpus } from '../models/text/corpus/read-corpus.js';
import type { Document } from '../models/text/document.js';
import { sentencesOf } from '../models/text/labelled-sentence.js';
import { paddedIds } from '../models/training/data/batch.js';
import type { EntityTreatment } from '../proto/entity-treatment.js';
import type { EncodingModel } from '../services/institution/bundles/encoding-model.js';
import { deidentify } from '../services/institution/deidentify/deidentify.js';
import { encode } from '../services/institution/release/encode.js';
import { serviceRows } from './encoder-load.js';
import { type EncodingSite, encodingSite, firstNotes, sourceAtHand } from './encoding-site.js';
import { machineRates } from './machine-rates.js';
import { type Measurement, measure, type Subject } from './measurement.js';
import { threadCounts } from './threads.js';

/** Every sentence counts in every run, also those that stand in many notes. */
const MANY_RELEASES = 1e6;
/** Of the forward pass alone. */
const BATCH_SENTENCES = 60;
/** Certified, and de-identified. */
const SAMPLED_NOTES = 250;
const CERTIFIED_NOTES = 40;
const RUNS = 3;
/** What the disk is tried with. */
const WRITTEN_BYTES = 128 * 2 ** 20;
/** Loose enough to withhold next to nothing, so that all of the work is done. */
const CERTIFICATION = { limit: 0.999999, neighbours: 100 };

/**
 * What an institution waits for: labelled text files to fsynced segments, as a share of the forward
 * pass alone on the same sentences; the same with a certified bound for each entity (sampled twins and
 * draws, upper end of the interval); de-identification; and how a service answers meanwhile.
 */
export async function* encodeBench(): AsyncGenerator<Measurement> {
  await useBackend('native');
  yield* machineRates('encode', { parent: tmpdir(), bytes: WRITTEN_BYTES });
  const site = await encodingSite(sourceAtHand());
  try {
    yield* await sharesOfForward(site);
    const documents = await firstNotes(site.notes, SAMPLED_NOTES);
    yield await measureCertification(site, documents);
    yield await measureDeidentification(site, documents);
  } finally {
    site.remove();
  }
  yield* serviceRows();
}

/** With all processors: an encoding reads, draws and writes on those that the forward pass alone has. */
async function sharesOfForward(site: EncodingSite): Promise<Measurement[]> {
  const threads = nativeFunction('threadCount')();
  const { sentences, vocabulary } = await sentencesOfNotes(site);
  const all = sentenceRows(sentences);
  const order = longestFirst(all);
  const work = sentences.reduce((sum, { length }) => sum + length, 0);
  const forward = 'forward of the representation';
  const subject = (name: string, run: () => unknown): Subject => {
    const against = name === forward ? {} : { against: [forward] };
    return { ...{ name, threads, work, run }, unit: 'tokens/s', ...against };
  };
  // As the command and the service do it.
  const models = await site.modelThread();
  const encoding = (entities: EntityTreatment) => async () => {
    const start = performance.now();
    const options = { entities, maxReleases: MANY_RELEASES, maxAlike: MANY_RELEASES };
    await models.call('encode', { input: site.notes, home: site.home(), options });
    return performance.now() - start;
  };
  try {
    return await measure('encode', [
      subject(forward, () => forwardOf(site.model, vocabulary, sentences, handedOut)),
      // As releases are made: an array that was handed out is never used again, so each batch takes new memory.
      subject('the same, its memory used again', () =>
        forwardOf(site.model, vocabulary, sentences, usedAgain),
      ),
      // None is kept: the garbage would be collected on the processors of those that come after.
      subject('releases with both noises', () =>
        releaseEach(site.model.representation, vocabulary, all, order, () => {}),
      ),
      subject('text files to fsynced segments', encoding('kept')),
      subject('the same, entities replaced', encoding('replaced')),
    ]);
  } finally {
    await models.close();
  }
}

/** As views of one array, so that what is timed beside them has no heap of theirs to look after. */
async function sentencesOfNotes({ notes, model }: EncodingSite) {
  const vocabulary = model.vocabulary.fresh();
  const rows: number[] = [];
  const ends: number[] = [];
  for await (const document of readCorpus(notes)) {
    for (const sentence of sentencesOf(document, model.scheme, 0)) {
      rows.push(...sentence.tokens.map(({ text }) => vocabulary.idOf(text)));
      ends.push(rows.length);
    }
  }
  const all = Int32Array.from(rows);
  const sentences = ends.map((end, i) => all.subarray(ends[i - 1] ?? 0, end));
  return { sentences, vocabulary };
}

/** Makes the values of a tensor be there, and is done with it. */
type Taken = (tensor: tf.Tensor) => void;

const handedOut: Taken = (tensor) => void tensor.dataSync();
const usedAgain: Taken = (tensor) => consume(tensor, () => {});

/** f alone, without noise, in batches of like length. */
function forwardOf(
  { representation }: EncodingModel,
  vocabulary: Vocabulary,
  sentences: readonly Int32Array[],
  take: Taken,
): void {
  const sorted = [...sentences].sort((a, b) => a.length - b.length);
  for (let from = 0; from < sorted.length; from += BATCH_SENTENCES) {
    const batch = sorted.slice(from, from + BATCH_SENTENCES);
    const lengths = Int32Array.from(batch, ({ length }) => length);
    const steps = Math.max(...lengths);
    tf.tidy(() => {
      const x = representation.embed(vocabulary, paddedIds(batch, steps), steps);
      take(representation.mean(x, lengths));
    });
  }
}

async function measureCertification(
  site: EncodingSite,
  all: readonly Document[],
): Promise<Measurement> {
  const documents = all.slice(0, CERTIFIED_NOTES);
  const times: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const start = performance.now();
    const options = { entities: 'kept', certification: CERTIFICATION } as const;
    await encode(documents, site.model, site.home(), options);
    times.push(performance.now() - start);
  }
  return row('certified, documents', times, documents.length * 60, 'documents/min');
}

async function measureDeidentification(site: EncodingSite, documents: readonly Document[]) {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const start = performance.now();
    for (const document of documents) await deidentify(document, site.tagger, { treatment: 'tag' });
    times.push(performance.now() - start);
  }
  return row('de-identified, documents', times, documents.length, 'documents/s');
}

function row(name: string, times: readonly number[], work: number, unit: string): Measurement {
  const sorted = [...times].sort((a, b) => a - b);
  const milliseconds = sorted[sorted.length >> 1] as number;
  const spread = ((sorted.at(-1) as number) - (sorted[0] as number)) / milliseconds;
  const threads = threadCounts().at(-1) as number;
  const rate = (work / milliseconds) * 1e3;
  return { bench: 'encode', name, threads, milliseconds, spread, rate, unit };
}
