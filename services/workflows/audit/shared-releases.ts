import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Piece } from '../../../models/certification/common-pieces.js';
import type { TextExample } from '../../../models/training/data/examples.js';
import { decodeElements } from '../../../proto/element.js';
import { TacetError } from '../../../proto/errors.js';
import { readSegment } from '../../../proto/segment.js';
import type { EncodingModel } from '../../institution/bundles/encoding-model.js';
import { Ledger } from '../../institution/release/ledger/ledger.js';
import {
  readReleases,
  releaseName,
  type SentenceRelease,
} from '../../institution/release/segments/release-map.js';

export interface SharedReleasesOptions {
  /** Where the segments lie; the outbox of `home` as a rule. */
  readonly segments: string;
  /** The encoder's home, which holds the ledger's key and the map of releases. */
  readonly home: string;
  readonly signal: AbortSignal;
}

/** A release of a sentence all of whose tokens left. */
interface JoinedRelease {
  /** [T·d] */
  readonly vectors: Float32Array;
  /** In the order of the sentence. */
  readonly pieces: readonly Piece[];
}

/** Releases of examples, of those all of whose tokens a segment holds. */
export interface SharedReleases {
  /** [T·d] of each, however it was cut. */
  readonly vectors: ReadonlyMap<TextExample, Float32Array>;
  /** Of those that were cut. */
  readonly pieces: ReadonlyMap<TextExample, readonly Piece[]>;
  /** Examples of which a segment holds some tokens alone: the others had labels that too few notes have. */
  readonly partial: ReadonlySet<TextExample>;
}

/**
 * What is about to be shared of `examples`. Examples that
 * are the same to the model, as copies of a note may be, have a release each, the newest first, while there are
 * some, and then share the oldest.
 * Throws `not-found` where none was found, and `model-unsuitable` for segments of another model.
 */
export async function sharedReleases(
  {
    digest,
    vocabulary,
    representation,
  }: Pick<EncodingModel, 'digest' | 'vocabulary' | 'representation'>,
  examples: readonly TextExample[],
  { segments, home, signal }: SharedReleasesOptions,
): Promise<SharedReleases> {
  const { dimension } = representation.config;
  const rows = await segmentVectors(segments, digest);
  const ledger = await Ledger.open(home, signal);
  try {
    const releases = await readReleases(home, ledger.key);
    const vectors = new Map<TextExample, Float32Array>();
    const pieces = new Map<TextExample, readonly Piece[]>();
    const partial = new Set<TextExample>();
    const left = new Map<string, JoinedRelease[]>();
    const newest = (name: string, size: number): JoinedRelease | undefined => {
      const known = left.get(name);
      const own = known ?? joined(releases.get(name) ?? [], rows, size, dimension);
      left.set(name, own);
      return own.length > 1 ? own.pop() : own[0];
    };
    for (const example of examples) {
      const name = releaseName(example.ids, vocabulary, ledger.key);
      const own = newest(name, example.ids.length);
      if (!own) {
        if (releases.get(name)?.some(({ segment }) => rows.has(segment))) partial.add(example);
        continue;
      }
      vectors.set(example, own.vectors);
      if (own.pieces.length > 1) pieces.set(example, own.pieces);
    }
    if (vectors.size > 0) return { vectors, pieces, partial };
    throw new TacetError(
      'not-found',
      `${segments}: no segment here holds a sentence of the measured notes; give the notes that were encoded`,
    );
  } finally {
    ledger.close();
  }
}

/** Of a sentence of `tokens`, those that are in segments at hand, oldest first. */
function joined(
  releases: readonly SentenceRelease[],
  rows: ReadonlyMap<string, readonly Float32Array[]>,
  tokens: number,
  dimension: number,
): JoinedRelease[] {
  return releases.flatMap(({ segment, pieces: placed }) => {
    const pieces = [...placed].sort((a, b) => a.start - b.start);
    const left = pieces.reduce((sum, { start, end }) => sum + end - start, 0);
    const own = rows.get(segment);
    if (!own || left < tokens) return [];
    const vectors = new Float32Array(tokens * dimension);
    for (const { index, start } of pieces)
      vectors.set(own[index] as Float32Array, start * dimension);
    return [{ vectors, pieces: pieces.map(({ start, end }) => ({ start, end })) }];
  });
}

/** The vectors of every piece in every segment of a directory, by the segment's name. */
async function segmentVectors(
  directory: string,
  model: string,
): Promise<Map<string, Float32Array[]>> {
  const names = await readdir(directory).catch(() => {
    throw new TacetError('file-not-found', `${directory}: no such directory of segments`);
  });
  const vectors = new Map<string, Float32Array[]>();
  for (const name of names.filter((each) => each.endsWith('.segment'))) {
    const file = path.join(directory, name);
    const { header, sentences } = readSegment(await readFile(file));
    if (header.modelDigest !== model)
      throw new TacetError('model-unsuitable', `${file}: encoded with model ${header.modelDigest}`);
    const own = [...sentences()].map((each) => decodeElements(each.vectors, header.elementType));
    vectors.set(path.basename(name, '.segment'), own);
  }
  return vectors;
}
