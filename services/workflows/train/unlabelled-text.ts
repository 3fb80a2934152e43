import path from 'node:path';
import { readCorpus } from '../../../models/text/corpus/read-corpus.js';
import type { Document } from '../../../models/text/document.js';
import type { TrainingConfig } from '../../../models/training/configuration/config.js';
import type { Corpus } from '../../../models/training/corpus-statement.js';
import { TacetError } from '../../../proto/errors.js';
import type { Material } from '../../../study/runs/subject.js';

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
 * Throws `corpus-invalid` where text without labels holds notes whose labels say what f must not keep,
 * or on which nothing may be trained.
 */
export function requireApart(
  unlabelled: Corpus | undefined,
  { documents, heldOut = [] }: Pick<Material, 'documents'> & Partial<Pick<Material, 'heldOut'>>,
): void {
  const known = new Set([...documents, ...heldOut].map(({ text }) => text));
  const repeated = unlabelled?.documents.filter(({ text }) => known.has(text)).length ?? 0;
  if (repeated === 0) return;
  throw new TacetError(
    'corpus-invalid',
    `${repeated} of the documents of --unlabelled are among the notes with labels: leave them out`,
  );
}
