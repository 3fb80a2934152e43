/** How often the pool's checks refuse honest releases, and how often others. */
import { noiseLevel } from '../models/bundle/manifest.js';
import { Random } from '../models/tensor/random.js';
import { VectorIndex } from '../pool-store/contributions/vector-index.js';
import { PROBES, probeTokens } from '../pool-store/segments/probe-sample.js';
import { SegmentExamination, type SegmentFacts } from '../pool-store/segments/segment-facts.js';
import { decodeElements, ELEMENT_BYTES, encodeElements } from '../proto/element.js';
import type { EncodedSentence } from '../proto/encoded-sentence.js';
import { TacetError } from '../proto/errors.js';
import { writeSegment } from '../proto/segment.js';
import { checkNoise } from '../services/pool/noise-check.js';
import { replayDistance } from '../services/pool/replay-distance.js';
import { COMPARED_SEGMENTS } from '../services/pool/samples.js';
import type { Measurement } from './measurement.js';
import { SEGMENT_SHAPE } from './segment-shape.js';

/** Uneven, as training leaves it: from half to one and a half times 0.3. */
const STDDEV = Float32Array.from({ length: 50 }, (_, i) => 0.15 + (0.3 * i) / 49);
const NOISE = noiseLevel(STDDEV);
const SEGMENTS = Number(process.env.TACET_BENCH_SEGMENTS ?? 300);
const SENTENCES = 40;
const LONGEST = 40;

/** What a sentence is before the noise. */
interface Encoded extends Pick<EncodedSentence, 'labels'> {
  /** [T·d], each token's vector of length 1. */
  readonly units: Float32Array;
}

export async function* ingestChecksBench(): AsyncGenerator<Measurement> {
  const random = new Random(1);
  const notes = Array.from({ length: SEGMENTS }, () => sentencesOf(random));
  const releaseAllNotes = (scale: number) => notes.map((note) => releaseOf(note, random, scale));
  const honest = releaseAllNotes(1);
  const index = new VectorIndex(
    STDDEV.length * probeTokens(SEGMENT_SHAPE.dimension),
    COMPARED_SEGMENTS,
  );
  for (const [i, sentences] of honest.entries()) index.add(String(i), pointsOf(sentences));
  const disguise = (level: number) =>
    honest.map((sentences) => pointsOf(sentences.map((one) => replayOf(one, random, level))));
  yield share('norms, honest', honest, isOfAnotherLevel);
  yield share('norms, no noise', releaseAllNotes(0), isOfAnotherLevel);
  yield share('norms, 90 % of the noise', releaseAllNotes(0.9), isOfAnotherLevel);
  yield share('norms, 95 % of the noise', releaseAllNotes(0.95), isOfAnotherLevel);
  const replays = (name: string, all: readonly Float32Array[][]) =>
    share(`replay, ${name}`, all, (points) => isReplay(points, index));
  // The same notes once more: the honest releases that lie nearest.
  yield replays('honest', releaseAllNotes(1).map(pointsOf));
  for (const level of [0.1, 0.3, 0.5, 0.7])
    yield replays(`moved by ${level} of the noise`, disguise(level));
}

function share<T>(name: string, all: readonly T[], isRefused: (one: T) => boolean): Measurement {
  const start = performance.now();
  const rate = all.filter(isRefused).length;
  const milliseconds = (performance.now() - start) / all.length;
  const unit = `of ${all.length} refused`;
  return { bench: 'ingest-checks', name, threads: 1, milliseconds, spread: 0, rate, unit };
}

function isOfAnotherLevel(sentences: readonly EncodedSentence[]): boolean {
  try {
    const facts = factsOf(writeSegment(SEGMENT_SHAPE, sentences));
    checkNoise({ ...facts, digest: '', sentences: facts.sentenceCount }, NOISE);
    return false;
  } catch (error) {
    if (error instanceof TacetError) return true;
    throw error;
  }
}

function isReplay(points: readonly Float32Array[], index: VectorIndex): boolean {
  const tokens = probeTokens(SEGMENT_SHAPE.dimension);
  const probability = 1e-9 / (PROBES * PROBES * COMPARED_SEGMENTS);
  const tooNear = replayDistance(NOISE, { tokens, probability });
  return index.nearest(points).some((nearest) => (nearest?.squaredDistance ?? tooNear) < tooNear);
}

function sentencesOf(random: Random): Encoded[] {
  return Array.from({ length: SENTENCES }, () => {
    const tokens = 1 + random.integer(LONGEST);
    const units = random.normals(tokens * STDDEV.length);
    for (let t = 0; t < tokens; t++) {
      const row = units.subarray(t * STDDEV.length, (t + 1) * STDDEV.length);
      const length = Math.hypot(...row);
      row.forEach((value, j) => {
        row[j] = value / length;
      });
    }
    return {
      units,
      labels: Uint8Array.from({ length: tokens }, () => random.integer(2)),
    };
  });
}

function releaseOf(note: readonly Encoded[], random: Random, scale: number): EncodedSentence[] {
  return note.map(({ units, labels }) => {
    return { vectors: addNoise(units, random, scale), labels };
  });
}

/** A release given again, under a little more noise. */
function replayOf(sentence: EncodedSentence, random: Random, level: number): EncodedSentence {
  const values = decodeElements(sentence.vectors, SEGMENT_SHAPE.elementType);
  return { ...sentence, vectors: addNoise(values, random, level) };
}

function addNoise(values: Float32Array, random: Random, scale: number): Uint8Array {
  const noise = random.normals(values.length);
  const moved = values.map(
    (value, j) => value + scale * (STDDEV[j % STDDEV.length] as number) * (noise[j] as number),
  );
  return encodeElements(moved, SEGMENT_SHAPE.elementType);
}

function factsOf(segment: Uint8Array): SegmentFacts {
  const examination = new SegmentExamination();
  examination.push(segment);
  return examination.end();
}

/** As `readProbes` reads them from a stored segment. */
function pointsOf(sentences: readonly EncodedSentence[]): Float32Array[] {
  const segment = writeSegment(SEGMENT_SHAPE, sentences);
  const bytes =
    probeTokens(SEGMENT_SHAPE.dimension) *
    SEGMENT_SHAPE.dimension *
    ELEMENT_BYTES[SEGMENT_SHAPE.elementType];
  return factsOf(segment).probes.map((place) =>
    decodeElements(segment.subarray(place, place + bytes), SEGMENT_SHAPE.elementType),
  );
}
