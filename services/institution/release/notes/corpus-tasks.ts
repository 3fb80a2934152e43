/** What `CorpusReader` runs on its thread. */

import type { LabelScheme } from '../../../../models/text/label-scheme.js';
import type { Task, TaskFactory } from '../../../../platform/threads/task.js';
import { TacetError } from '../../../../proto/errors.js';
import { type CorpusSource, type ReadChunk, readChunks } from './note-source.js';
import type { Replacement } from './replacer.js';

export interface OpenReading {
  readonly reading: number;
  readonly source: CorpusSource;
  readonly scheme: LabelScheme;
  readonly replacement: Replacement | undefined;
}

/** Chunks that are read before anyone asks: who asks may be busy with the last one for a while. */
const CHUNKS_AHEAD = 4;

export const tasks: TaskFactory = () => {
  const readings = new Map<number, Reading>();
  const open: Task<OpenReading> = ({ reading, source, scheme, replacement }) => {
    readings.set(reading, new Reading(readChunks(source, scheme, replacement)));
    return { value: undefined };
  };
  const next: Task<number, ReadChunk | undefined> = async (reading) => {
    const opened = readings.get(reading);
    if (!opened)
      throw new TacetError('internal', 'the thread that read the notes ended; try again');
    const value = await opened.next();
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
  return { open, next, close };
};

class Reading {
  readonly #ahead: Promise<IteratorResult<ReadChunk, void>>[] = [];

  constructor(private readonly chunks: AsyncGenerator<ReadChunk, void>) {
    for (let i = 0; i < CHUNKS_AHEAD; i++) this.#ask();
  }

  async next(): Promise<ReadChunk | undefined> {
    this.#ask();
    const { value } = (await this.#ahead.shift()) ?? {};
    return value ?? undefined;
  }

  async close(): Promise<void> {
    await this.chunks.return();
  }

  #ask(): void {
    const chunk = this.chunks.next();
    // It is waited for in its turn, or never where an earlier one failed.
    chunk.catch(() => {});
    this.#ahead.push(chunk);
  }
}
