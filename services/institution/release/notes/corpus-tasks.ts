/** What `CorpusReader` runs on its thread. */

import type { LabelScheme } from '../../../../models/text/label-scheme.js';
import type { Task, TaskFactory } from '../../../../platform/threads/task.js';
import { TacetError } from '../../../../proto/errors.js';
import { DocumentsAhead } from './documents-ahead.js';
import { type CorpusSource, chunksOfNotes, openCorpus, type ReadChunk } from './note-source.js';
import type { Replacement } from './replacer.js';

export interface OpenReading {
  readonly reading: number;
  readonly source: CorpusSource;
  readonly scheme: LabelScheme;
}

export interface BeginReading {
  readonly reading: number;
  readonly replacement: Replacement | undefined;
}

/** Chunks that are read before anyone asks: who asks may be busy with the last one for a while. */
const CHUNKS_AHEAD = 4;

export const tasks: TaskFactory = () => {
  const readings = new Map<number, Reading>();
  const open: Task<OpenReading> = ({ reading, source, scheme }) => {
    readings.set(reading, new Reading(source, scheme));
    return { value: undefined };
  };
  const opened = (reading: number): Reading => {
    const found = readings.get(reading);
    if (found) return found;
    throw new TacetError('internal', 'the thread that read the notes ended; try again');
  };
  const begin: Task<BeginReading> = ({ reading, replacement }) => {
    opened(reading).begin(replacement);
    return { value: undefined };
  };
  const next: Task<number, ReadChunk | undefined> = async (reading) => {
    const value = await opened(reading).next();
    if (!value) return { value };
    const { documents, names, draws, places, lengths, words, labels } = value;
    const columns = [documents, names, draws, places, lengths, words, labels];
    return { value, transfer: columns.map(({ buffer }) => buffer as ArrayBuffer) };
  };
  const close: Task<number> = async (reading) => {
    await readings.get(reading)?.close();
    readings.delete(reading);
    return { value: undefined };
  };
  return { open, begin, next, close };
};

class Reading {
  readonly #documents: DocumentsAhead;
  readonly #takeBad: () => number;
  #chunks: AsyncGenerator<ReadChunk, void> | undefined;
  readonly #ahead: Promise<IteratorResult<ReadChunk, void>>[] = [];

  constructor(
    source: CorpusSource,
    private readonly scheme: LabelScheme,
  ) {
    const { documents, takeBad } = openCorpus(source, scheme);
    this.#documents = new DocumentsAhead(documents);
    this.#takeBad = takeBad;
  }

  begin(replacement: Replacement | undefined): void {
    const notes = { documents: this.#documents, takeBad: this.#takeBad };
    this.#chunks = chunksOfNotes(notes, this.scheme, replacement);
    for (let i = 0; i < CHUNKS_AHEAD; i++) this.#ask();
  }

  async next(): Promise<ReadChunk | undefined> {
    this.#ask();
    const { value } = (await this.#ahead.shift()) ?? {};
    return value ?? undefined;
  }

  async close(): Promise<void> {
    await this.#chunks?.return();
    await this.#documents.close();
  }

  #ask(): void {
    const chunk = this.#chunks?.next();
    // It is waited for in its turn, or never where an earlier one failed.
    chunk?.catch(() => {});
    if (chunk) this.#ahead.push(chunk);
  }
}
