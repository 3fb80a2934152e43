import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { TextExample } from '../../../models/training/examples.js';
import { decodeElements } from '../../../proto/element.js';
import { TacetError } from '../../../proto/errors.js';
import { readSegment } from '../../../proto/segment.js';
import type { EncodingModel } from '../../institution/bundles/encoding-model.js';
import { Ledger } from '../../institution/release/ledger.js';
import {
  type ReleasePlace,
  readReleases,
  releaseName,
} from '../../institution/release/release-map.js';

export interface SharedReleasesOptions {
  /** Where the segments lie; the outbox of `home` as a rule. */
  readonly segments: string;
  /** The encoder's home, which holds the ledger's key and the map of releases. */
  readonly home: string;
  readonly signal: AbortSignal;
}

/**
 * The vectors [T·d] that are about to be shared of `examples`, of as many as a segment holds one of. Examples that
 * are the same to the model, as copies of a note may be, have a release each, the newest first, while there are
 * some, and then share the oldest.
 * Throws `not-found` where none was found, and `model-unsuitable` for segments of another model.
 */
export async function sharedReleases(
  { digest, vocabulary }: Pick<EncodingModel, 'digest' | 'vocabulary'>,
  examples: readonly TextExample[],
  { segments, home, signal }: SharedReleasesOptions,
): Promise<Map<TextExample, Float32Array>> {
  const places = await readReleases(home);
  const vectors = await segmentVectors(segments, digest);
  const ledger = await Ledger.open(home, signal);
  try {
    const released = new Map<TextExample, Float32Array>();
    const left = new Map<string, Float32Array[]>();
    const newest = (name: string): Float32Array | undefined => {
      const releases = left.get(name) ?? releasesAt(places.get(name) ?? [], vectors);
      left.set(name, releases);
      return releases.length > 1 ? releases.pop() : releases[0];
    };
    for (const example of examples) {
      const own = newest(releaseName(example.ids, vocabulary, ledger.key));
      if (own) released.set(example, own);
    }
    if (released.size > 0) return released;
    throw new TacetError(
      'not-found',
      `${segments}: no segment here holds a sentence of the measured notes; give the notes that were encoded`,
    );
  } finally {
    ledger.close();
  }
}

/** Of those that are in segments at hand, oldest first. */
function releasesAt(
  places: readonly ReleasePlace[],
  vectors: ReadonlyMap<string, readonly Float32Array[]>,
): Float32Array[] {
  return places.flatMap(({ segment, index }) => vectors.get(segment)?.[index] ?? []);
}

/** The vectors of every sentence of every segment of a directory, by the segment's name. */
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
