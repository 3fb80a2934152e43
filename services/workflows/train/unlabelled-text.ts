import path from 'node:path';
import { withoutByteOrderMark } from '../../../models/text/byte-order-mark.js';
import { readCorpus } from '../../../models/text/corpus/read-corpus.js';
import type { Document } from '../../../models/text/document.js';
import { nearCopiesOf } from '../../../models/text/near-copies.js';
import type { TrainingConfig } from '../../../models/training/configuration/config.js';
import type { Corpus } from '../../../models/training/corpus-statement.js';
import { TacetError } from '../../../proto/errors.js';
import type { Material } from '../../../study/runs/subject.js';
import { numbersText } from '../../../study/runs/unseen.js';

/** Refuses with `config-invalid` text that no run would learn from; `configs` are of those that may. */
export function requireGeneralObjective(
  configs: readonly Pick<TrainingConfig, 'general'>[],
  unlabelled: readonly string[] | undefined,
): void {
  if (!unlabelled || configs.some(({ general }) => general.objective !== 'none')) return;
  throw new TacetError(
    'config-invalid',
    'nothing learns from --unlabelled, since general.objective is none: name another one in the ' +
      'configuration (tacet train describe), or leave --unlabelled out',
  );
}

/** The documents of files and folders of any format; labels in them are left behind. */
export async function readUnlabelled(
  paths: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<Corpus | undefined> {
  if (!paths) return undefined;
  const documents: Document[] = [];
  for (const each of paths)
    for await (const document of readCorpus(each, { signal }))
      documents.push({ ...document, spans: [] });
  const names = paths.map((each) => path.basename(path.resolve(each)));
  return { corpusName: names.join(', '), documents };
}

/**
 * Throws `corpus-invalid` where text without labels holds notes whose labels say what f must not keep, or on which nothing
 * may be trained: their text, whatever its white space, byte order mark and way of writing accents, or nearly (`NearCopies`).
 */
export function requireApart(
  unlabelled: Corpus | undefined,
  { documents, heldOut = [] }: Pick<Material, 'documents'> & Partial<Pick<Material, 'heldOut'>>,
): void {
  if (!unlabelled) return;
  const labelled = [...documents, ...heldOut];
  const texts = new Set(labelled.map(bareText));
  const near = nearCopiesOf(labelled, unlabelled.documents);
  const repeated = unlabelled.documents.flatMap((document, i) =>
    near.has(i) || texts.has(bareText(document)) ? [i + 1] : [],
  );
  if (repeated.length === 0) return;
  throw new TacetError(
    'corpus-invalid',
    `${repeated.length} of the documents of --unlabelled are among the notes with labels, or nearly the same as one of ` +
      `them: leave them out; in the order read they are number ${numbersText(repeated)}`,
  );
}

function bareText({ text }: Document): string {
  return withoutByteOrderMark(text).normalize('NFC').replace(/\s+/g, ' ').trim();
}
