import type { Request, Response } from 'express';
import type { Snapshot } from '../../pool-store/snapshots/snapshot.js';
import { readWindows, type SnapshotSource } from '../../pool-store/snapshots/snapshot-reader.js';
import { TacetError } from '../../proto/errors.js';
import { withoutIdleLimit } from '../http/request-parts.js';
import { sendBytes } from '../http/send-bytes.js';
import { ReadingPlaces } from './reading-places.js';
import { SENTENCE_FORMATS, type SentenceFormat } from './sentence-formats.js';

export interface SentenceQuery {
  /** The id of whose token asks. */
  readonly token: string;
  readonly snapshot: Snapshot;
  /** Of which part `snapshot` is; of all without it. */
  readonly copies?: number | undefined;
  readonly format: SentenceFormat;
  readonly seed: number;
  /** Aborted where the reader goes away, for whom nothing is made any more. */
  readonly signal: AbortSignal;
}

/** A stream that is made for its length alone. */
interface Measuring {
  readonly length: Promise<number>;
  /** How many answers wait for it. */
  waiting: number;
}

const KEPT_LENGTHS = 1000;

/**
 * Snapshots as bytes. The bytes follow from snapshot, part, format and seed alone, so a reader whose
 * connection broke asks for the rest with `Range: bytes=N-`. What comes before N is made and thrown
 * away: nothing of it is kept for readers who may never come back. However long that takes, the connection stays open.
 * The length, which the answer begins with, is made once for all who ask for a part of one stream, and on when they go
 * away, for whoever does so comes again; it gives way to who needs its place, and is stopped by `closing`.
 */
export class SentenceStreams {
  /** By entity tag; the length of a stream is only known once it was made. */
  readonly #lengths = new Map<string, number>();

  /** By entity tag. */
  readonly #measurings = new Map<string, Measuring>();

  readonly #places: ReadingPlaces;

  constructor(
    readonly source: SnapshotSource,
    mostReadings: number,
    readonly closing: AbortSignal,
  ) {
    this.#places = new ReadingPlaces(mostReadings);
  }

  /** Throws `range-invalid`, `store-damaged` or, while as many read as may, `rate-limited`. */
  async answer(query: SentenceQuery, request: Request, response: Response): Promise<void> {
    const part = query.copies === undefined ? '' : `-${query.copies}`;
    const tag = `"${query.snapshot.id}-${query.format}-${query.seed}${part}"`;
    const { type } = SENTENCE_FORMATS[query.format];
    response.set({ 'Content-Type': type, ETag: tag, 'Accept-Ranges': 'bytes', Vary: 'Accept' });
    if (request.method === 'HEAD') {
      response.end();
      return;
    }
    const start = startOf(request, tag);
    if (start > 0) {
      const length = await withoutIdleLimit(request, () => this.#lengthOf(query, tag, response));
      if (start >= length) {
        response.set('Content-Range', `bytes */${length}`);
        throw new TacetError('range-invalid', `the stream has ${length} bytes`);
      }
      response.status(206).set('Content-Range', `bytes ${start}-${length - 1}/${length}`);
    }
    await this.#places.hold(query.token, response, () =>
      this.#send(from(start, this.#made(query, tag)), request, response),
    );
  }

  async #send(
    bytes: AsyncGenerator<Uint8Array>,
    request: Request,
    response: Response,
  ): Promise<void> {
    try {
      await sendBytes(await withoutIdleLimit(request, () => begun(bytes)), response);
    } finally {
      // Whoever went away gives its place back at once, whatever is being read still.
      bytes.return(undefined).catch(() => {});
    }
  }

  /** All of a stream, whose length is known once it ended. */
  async *#made(query: SentenceQuery, tag: string): AsyncGenerator<Uint8Array> {
    let length = 0;
    for await (const chunk of this.#write(query)) {
      length += chunk.length;
      yield chunk;
    }
    if (this.#lengths.size >= KEPT_LENGTHS) this.#lengths.clear();
    this.#lengths.set(tag, length);
  }

  #write({ snapshot, format, seed, signal }: SentenceQuery): AsyncIterable<Uint8Array> {
    const windows = readWindows(this.source, snapshot, seed);
    return SENTENCE_FORMATS[format].write(snapshot, until(signal, windows));
  }

  async #lengthOf(query: SentenceQuery, tag: string, response: Response): Promise<number> {
    const known = this.#lengths.get(tag);
    if (known !== undefined) return known;
    const measuring = this.#measurings.get(tag) ?? this.#measure(query, tag, response);
    measuring.waiting++;
    try {
      return await unlessAborted(query.signal, measuring.length);
    } finally {
      measuring.waiting--;
    }
  }

  #measure(query: SentenceQuery, tag: string, response: Response): Measuring {
    const stop = new AbortController();
    const signal = AbortSignal.any([stop.signal, this.closing]);
    const forget = () => {
      if (this.#measurings.get(tag) === measuring) this.#measurings.delete(tag);
    };
    const giveWay = () => {
      if (measuring.waiting > 0) return false;
      stop.abort();
      forget();
      return true;
    };
    const read = () => lengthOf(this.#made({ ...query, signal }, tag));
    const length = this.#places.hold(query.token, response, read, giveWay).finally(() => forget());
    // It may fail when nobody waits.
    length.catch(() => {});
    const measuring = { length, waiting: 0 };
    this.#measurings.set(tag, measuring);
    return measuring;
  }
}

/**
 * The first byte that is asked for. A range of another form or for another stream is passed over,
 * as RFC 9110, sections 13.1.5 and 14.2 let a server do: the answer is then the whole.
 */
function startOf(request: Request, tag: string): number {
  const condition = request.get('if-range');
  if (condition !== undefined && condition !== tag) return 0;
  return Number(/^bytes=(\d{1,15})-$/.exec(request.get('range') ?? '')?.[1] ?? 0);
}

async function lengthOf(chunks: AsyncIterable<Uint8Array>): Promise<number> {
  let length = 0;
  for await (const chunk of chunks) length += chunk.length;
  return length;
}

function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason);
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}

async function* until<T>(signal: AbortSignal, windows: AsyncIterable<T>): AsyncGenerator<T> {
  for await (const window of windows) {
    signal.throwIfAborted();
    yield window;
  }
}

/** The same bytes, of which the first are there. */
async function begun(bytes: AsyncGenerator<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  const first = await bytes.next();
  return {
    async *[Symbol.asyncIterator]() {
      if (first.done) return;
      yield first.value;
      yield* bytes;
    },
  };
}

async function* from(start: number, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let left = start;
  for await (const bytes of chunks) {
    if (left < bytes.length) yield bytes.subarray(left);
    left = Math.max(0, left - bytes.length);
  }
}
