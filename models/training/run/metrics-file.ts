import { open, truncate } from 'node:fs/promises';
import path from 'node:path';
import { bytesIfThere, textIfThere } from '../../../platform/files/optional-file.js';
import { writeFailure } from '../../../platform/system-error.js';
import { TacetError } from '../../../proto/errors.js';
import { Type } from '../../../proto/typebox.js';
import { mapOf, type TypeOf } from '../../../proto/typed-schema.js';

/** What is not a number by the end of an epoch is written as null. */
const METRICS = mapOf(Type.Unsafe<number>({ type: ['number', 'null'] }));

export const EPOCH_RECORD = Type.Object({
  stage: Type.String(),
  epoch: Type.Integer(),
  train: METRICS,
  validation: METRICS,
  tokens: Type.Number(),
  /** Of the epoch alone, without its remedy. */
  seconds: Type.Number(),
  /** What had to be put right after the epoch. */
  remedy: Type.Optional(Type.String()),
});
export type EpochRecord = TypeOf<typeof EPOCH_RECORD>;

const NEWLINE = 0x0a;

/** Of the run in a directory. */
export function metricsFile(directory: string): string {
  return path.join(directory, 'metrics.jsonl');
}

/** `metrics.jsonl` of a run: a line an epoch, whole once `append` has returned. */
export class MetricsFile {
  readonly #path: string;

  constructor(directory: string) {
    this.#path = metricsFile(directory);
  }

  /** Throws `disk-full` or `file-unwritable`; half a line may then be there. */
  async append(record: EpochRecord): Promise<void> {
    try {
      await appendDurably(this.#path, `${JSON.stringify(record)}\n`);
    } catch (error) {
      throw writeFailure(error, this.#path);
    }
  }

  /** In the order that they were appended; none where there is no file. Throws `checkpoint-invalid` or `file-unreadable`. */
  async read(): Promise<EpochRecord[]> {
    return recordsIn((await textIfThere(this.#path)) ?? '', this.#path);
  }

  /** Cuts what an interrupted `append` left after the last whole line. */
  async cutTornLine(): Promise<void> {
    const bytes = await bytesIfThere(this.#path);
    const end = bytes ? bytes.lastIndexOf(NEWLINE) + 1 : 0;
    if (bytes && end < bytes.length) await truncate(this.#path, end);
  }
}

/** The epochs of a `metrics.jsonl` anywhere. Throws `file-not-found`, `file-unreadable` or `checkpoint-invalid`. */
export async function readMetrics(file: string): Promise<EpochRecord[]> {
  const text = await textIfThere(file);
  if (text === undefined) throw new TacetError('file-not-found', `${file}: no such file`);
  return recordsIn(text, file);
}

function recordsIn(text: string, file: string): EpochRecord[] {
  return text.split('\n').flatMap((line, i) => (line === '' ? [] : parsed(line, file, i + 1)));
}

function parsed(line: string, file: string, number: number): EpochRecord {
  try {
    return JSON.parse(line) as EpochRecord;
  } catch (cause) {
    throw new TacetError(
      'checkpoint-invalid',
      `${file}, line ${number}, is not the JSON of an epoch: remove that line`,
      { cause },
    );
  }
}

async function appendDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'a');
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}
