import { Option } from 'commander';
import { CORPUS_FORMATS, type CorpusFormat } from '../../../models/text/corpus/format.js';
import { describeOthers, otherFiles } from '../../../models/text/corpus/other-files.js';
import { type PlacedDocument, placedDocuments } from '../../../models/text/corpus/read-corpus.js';
import { Remarks } from '../../../models/text/corpus/remarks.js';
import type { Document } from '../../../models/text/document.js';
import type { Progress } from '../../../platform/progress.js';
import type { TacetError } from '../../../proto/errors.js';
import type { Context } from '../../workflows/context.js';

export interface ReadingOptions {
  readonly format?: CorpusFormat;
  readonly skipBad?: boolean;
}

/** Problems beyond these are counted but not kept. */
const MAX_PROBLEMS = 100;
const PROGRESS_INTERVAL_MS = 500;

/** `--format`, as every command has it that reads a corpus. */
export function formatOption(): Option {
  return new Option('--format <format>', 'format of the documents; detected when absent').choices([
    ...CORPUS_FORMATS,
  ]);
}

/** Reads a corpus with progress, and keeps what was remarked and what was wrong with bad documents. */
export class Reading {
  bad = 0;
  readonly problems: string[] = [];
  readonly remarks = new Remarks();
  /** By path, which may be read again. */
  readonly #others = new Map<string, number>();

  constructor(
    private readonly context: Context,
    private readonly options: ReadingOptions,
  ) {}

  async *documents(path: string): AsyncGenerator<Document> {
    for await (const { document } of this.placed(path)) yield document;
  }

  /** As `documents`, with the places of the documents. */
  async *placed(path: string): AsyncGenerator<PlacedDocument> {
    const { format, skipBad } = this.options;
    const { signal, progress } = this.context;
    this.#others.set(path, await otherFiles(path));
    const onBad = (error: TacetError) => {
      this.bad++;
      if (this.problems.length < MAX_PROBLEMS) this.problems.push(error.message);
    };
    const { remarks } = this;
    yield* withProgress(
      placedDocuments(path, { format, skipBad, onBad, remarks, signal }),
      progress,
    );
  }

  /** Says what was remarked, how many documents were skipped and how many files left out, if any. */
  report(): void {
    for (const line of this.remarks.lines()) this.context.say(line);
    const counts = [...this.#others.values()];
    const others = describeOthers(counts.reduce((sum, each) => sum + each, 0));
    if (others !== undefined) this.context.say(others);
    if (this.bad > 0) this.context.say(`bad documents skipped: ${this.bad}`);
  }
}

async function* withProgress(
  documents: AsyncIterable<PlacedDocument>,
  progress: Progress,
): AsyncGenerator<PlacedDocument> {
  let done = 0;
  let reportedMs = performance.now();
  for await (const document of documents) {
    yield document;
    done++;
    const nowMs = performance.now();
    if (nowMs - reportedMs < PROGRESS_INTERVAL_MS) continue;
    progress({ step: 'reading documents', done, unit: 'documents' });
    reportedMs = nowMs;
  }
}
