import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Command, Option } from 'commander';
import { generateNotes } from '../../../models/synthetic/generate-notes.js';
import { houseForms } from '../../../models/synthetic/house-forms.js';
import type { Institution } from '../../../models/synthetic/institution.js';
import { INSTITUTIONS } from '../../../models/synthetic/institutions.js';
import type { SyntheticNote, SyntheticOptions } from '../../../models/synthetic/note.js';
import { WRITTEN_FORMATS, type WrittenFormat } from '../../../models/text/corpus/format.js';
import { writeCorpus } from '../../../models/text/corpus/write-corpus.js';
import { makeFolders } from '../../../platform/files/make-folders.js';
import type { Progress } from '../../../platform/progress.js';
import { TacetError } from '../../../proto/errors.js';
import { contextOf } from '../context.js';
import { wholeNumber } from '../whole-number.js';

interface GenerateOptions extends SyntheticOptions {
  readonly format: WrittenFormat;
  readonly ownForms?: string;
}

const DOCUMENTS_A_REPORT = 200;

/** `tacet corpus generate`: made-up notes to try everything else on. */
export function corpusGenerateCommand(): Command {
  return new Command('generate')
    .description('write made-up English clinical notes with the spans of their made-up PHI')
    .argument(
      '<out>',
      'a new file for jsonl, conll, tsv, doccano, label-studio and bioc, a directory for the others',
    )
    .option('--documents <number>', 'how many notes', wholeNumber(1), 600)
    .option('--seed <number>', 'equal seeds give equal notes', wholeNumber(0), 1)
    .option(
      '--institutions <number>',
      'how many institutions take turns',
      wholeNumber(1, INSTITUTIONS.length),
      INSTITUTIONS.length,
    )
    .addOption(
      new Option('--format <format>', 'format to write')
        .choices([...WRITTEN_FORMATS])
        .default('jsonl'),
    )
    .option(
      '--own-forms <dir>',
      'a new directory, for how each institution writes PHI, as it would state it',
    )
    .action(run);
}

async function run(out: string, options: GenerateOptions, command: Command): Promise<void> {
  const { signal, progress, result } = contextOf(command);
  const notes = withProgress(generateNotes(options), options.documents, progress);
  const { ownForms, institutions } = options;
  if (ownForms !== undefined && existsSync(ownForms))
    throw new TacetError('file-exists', `${ownForms} exists already; choose another --own-forms`);
  const documents = await writeCorpus(notes, out, options.format, { signal });
  const houses = INSTITUTIONS.slice(0, institutions);
  const stated = ownForms === undefined ? [] : await writeOwnForms(ownForms, houses);
  result({ documents, out, format: options.format, seed: options.seed, ownForms: stated }, [
    `${documents} notes written to ${out}`,
    ...stated.map(({ file, locales }) => `${file}: own forms, names of ${locales.join(', ')}`),
  ]);
}

interface StatedForms {
  readonly file: string;
  /** faker's, of which its names are. */
  readonly locales: readonly string[];
}

/** A file for `tacet inventory create --own-forms` of each. */
async function writeOwnForms(
  directory: string,
  institutions: readonly Institution[],
): Promise<StatedForms[]> {
  makeFolders(directory);
  const stated: StatedForms[] = [];
  for (const house of institutions) {
    const { forms, lists, locales } = houseForms(house);
    const file = path.join(directory, `${house.id}.json`);
    await writeFile(file, `${JSON.stringify({ forms, lists }, null, 2)}\n`);
    stated.push({ file, locales });
  }
  return stated;
}

function* withProgress(
  notes: Iterable<SyntheticNote>,
  total: number,
  progress: Progress,
): Generator<SyntheticNote> {
  let done = 0;
  for (const note of notes) {
    yield note;
    if (++done % DOCUMENTS_A_REPORT === 0 || done === total)
      progress({ step: 'writing notes', done, total, unit: 'notes' });
  }
}
