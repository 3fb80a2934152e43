import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type ReadCorpusOptions, readCorpus } from '../../../../models/text/corpus/read-corpus.js';
import type { Document } from '../../../../models/text/document.js';

/** A directory of files that a test lays out, and its removal. */
export class TemporaryFiles {
  readonly root = mkdtempSync(join(tmpdir(), 'tacet-corpus-'));
  private made = 0;

  /** Writes files into a fresh directory and returns its path. */
  write(files: Readonly<Record<string, string | Uint8Array>>): string {
    const directory = join(this.root, String(this.made++));
    mkdirSync(directory);
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(directory, name)), { recursive: true });
      writeFileSync(join(directory, name), content);
    }
    return directory;
  }

  /** A path at which there is nothing yet. */
  fresh(name: string): string {
    return join(this.write({}), name);
  }

  remove(): void {
    rmSync(this.root, { recursive: true });
  }
}

export async function readAll(path: string, options?: ReadCorpusOptions): Promise<Document[]> {
  const documents: Document[] = [];
  for await (const document of readCorpus(path, options)) documents.push(document);
  return documents;
}
