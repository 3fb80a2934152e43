/** What `CorpusReader` runs on its thread. */

import type { Task, TaskFactory } from '../../models/tensor/worker-task.js';
import type { LabelScheme } from '../../models/text/label-scheme.js';
import { type CorpusSource, type ReadChunk, readChunks } from './note-source.js';

export interface OpenReading {
  readonly reading: number;
  readonly source: CorpusSource;
  readonly scheme: LabelScheme;
}

export const tasks: TaskFactory = () => {
  const readings = new Map<number, AsyncGenerator<ReadChunk>>();
  const open: Task<OpenReading> = ({ reading, source, scheme }) => {
    readings.set(reading, readChunks(source, scheme));
    return { value: undefined };
  };
  const next: Task<number, ReadChunk | undefined> = async (reading) => {
    const { value } = (await readings.get(reading)?.next()) ?? {};
    if (!value) return { value: undefined };
    const { documents, lengths, words, casing, labels } = value as ReadChunk;
    const columns = [documents, lengths, words, casing, labels];
    return { value, transfer: columns.map(({ buffer }) => buffer as ArrayBuffer) };
  };
  const close: Task<number> = async (reading) => {
    await readings.get(reading)?.return(undefined);
    readings.delete(reading);
    return { value: undefined };
  };
  return { open, next, close };
};
