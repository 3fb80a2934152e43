import { Vocabulary } from '../models/embeddings/vocabulary.js';
import { release } from '../models/networks/release.js';
import { nativeFunction } from '../models/tensor/addon.js';
import { useBackend } from '../models/tensor/backend.js';
import * as tf from '../models/tensor/tf.js';
import { readCorpus } from '../models/text/corpus/read-corpus.js';
import type { Document } from '../models/text/document.js';
import { sentencesOf } from '../models/text/labelled-sentence.js';
import { paddedIds } from '../models/training/batch.js';
import { deidentify } from '../services/encoder/deidentify.js';
import { encode } from '../services/encoder/encode.js';
import type { EncodingModel } from '../services/encoder/encoding-model.js';
import { sentenceOf } from '../services/encoder/sentence.js';
import { serviceRows } from './encoder-load.js';
import { type EncodingSite, encodingSite } from './encoding-site.js';
import { type Measurement, measure, type Subject } from './measurement.js';
import { threadCounts } from './threads.js';

/** Every sentence counts in every run, also those that stand in many notes. */
const MANY_RELEASES = 1e6;
const BATCH_SENTENCES = 64;
const CERTIFIED_NOTES = 40;
const RUNS = 3;
/** Loose enough to withhold next to nothing, so that all of the work is done. */
const CERTIFICATION = { limit: 0.999999, neighbours: 100 };

/**
 * What an institution waits for: labelled text files to fsynced segments, as a share of the forward
 * pass alone on the same sentences; the same with a certified bound for each entity (sampled twins and
 * draws, upper end of the interval); de-identification; and how a service answers meanwhile.
 */
export async function encodeBench(): Promise<Measurement[]> {
  await useBackend('native');
  const site = await encodingSite();
  try {
    const documents: Document[] = [];
    for await (const document of readCorpus(site.notes)) documents.push(document);
    return [
      ...(await measure('encode', subjectsOf(site, documents))),
      await certified(site, documents),
      await deidentified(site, documents),
      ...(await serviceRows(site)),
    ];
  } finally {
    site.remove();
  }
}

function subjectsOf(site: EncodingSite, documents: readonly Document[]): Subject[] {
  const { model } = site;
  const vocabulary = new Vocabulary(model.vocabulary.embeddings);
  const sentences = documents
    .flatMap((document, i) => sentencesOf(document, model.scheme, i))
    .map((sentence) => sentenceOf(sentence, vocabulary).rows);
  const work = sentences.reduce((sum, { length }) => sum + length, 0);
  return threadCounts().flatMap((threads) => {
    const timed = (run: () => unknown) => async () => {
      const before = nativeFunction('setThreadCount')(threads) as number;
      const start = performance.now();
      await run();
      const elapsed = performance.now() - start;
      nativeFunction('setThreadCount')(before);
      return elapsed;
    };
    const forward = `forward of the representation with ${threads}`;
    return [
      {
        name: forward,
        threads,
        work,
        unit: 'tokens/s',
        run: timed(() => forwardOf(model, vocabulary, sentences)),
      },
      {
        name: 'releases with both noises',
        threads,
        work,
        unit: 'tokens/s',
        against: [forward],
        run: timed(() => release(model.representation, vocabulary, sentences)),
      },
      {
        name: 'text files to fsynced segments',
        threads,
        work,
        unit: 'tokens/s',
        against: [forward],
        run: timed(() =>
          encode(() => readCorpus(site.notes), model, site.home(), { maxReleases: MANY_RELEASES }),
        ),
      },
    ];
  });
}

/** f alone, without noise, in batches of like length. */
function forwardOf(
  { representation }: EncodingModel,
  vocabulary: Vocabulary,
  sentences: readonly Int32Array[],
): void {
  const sorted = [...sentences].sort((a, b) => a.length - b.length);
  for (let from = 0; from < sorted.length; from += BATCH_SENTENCES) {
    const batch = sorted.slice(from, from + BATCH_SENTENCES);
    const lengths = Int32Array.from(batch, ({ length }) => length);
    const steps = Math.max(...lengths);
    tf.tidy(() => {
      const x = representation.embed(vocabulary, paddedIds(batch, steps), steps);
      representation.mean(x, lengths).dataSync();
    });
  }
}

async function certified(site: EncodingSite, all: readonly Document[]): Promise<Measurement> {
  const documents = all.slice(0, CERTIFIED_NOTES);
  const times: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const start = performance.now();
    await encode(documents, site.model, site.home(), { certification: CERTIFICATION });
    times.push(performance.now() - start);
  }
  return row('certified, documents', times, documents.length * 60, 'documents/min');
}

async function deidentified(site: EncodingSite, documents: readonly Document[]) {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const start = performance.now();
    for (const document of documents) await deidentify(document, site.tagger, { policy: 'tag' });
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
