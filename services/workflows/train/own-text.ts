import path from 'node:path';
import type { Vocabulary } from '../../../models/embeddings/vocabulary.js';
import { mapTypes } from '../../../models/evaluation/map-types.js';
import type { Representation } from '../../../models/networks/representation.js';
import type { Random } from '../../../models/tensor/random.js';
import type { Document } from '../../../models/text/document.js';
import type { LabelScheme } from '../../../models/text/label-scheme.js';
import type { TrainingConfig } from '../../../models/training/config.js';
import { type PartlyReadExample, textExamples } from '../../../models/training/examples.js';
import { besideWords, type OwnText } from '../../../models/training/own-text.js';
import { replacedCopies } from '../../../models/training/replaced-copies.js';
import { splitDocuments } from '../../../models/training/split.js';
import type { Context } from '../context.js';
import { readLabelled } from './run-material.js';

/** Notes whose words are read beside what others released, by where they came from. */
export type OwnNotes = ReadonlyMap<string, readonly Document[]>;

/** What is learned from them, and what of them ends the training. */
export interface PreparedText extends OwnText {
  /** Of `validation`, with types of the scheme. */
  readonly held: readonly Document[];
}

type Work = Pick<Context, 'signal' | 'progress'>;

/** Throws as `readLabelled` does. */
export async function readOwnNotes(
  sources: readonly string[],
  scheme: LabelScheme,
  signal: AbortSignal,
): Promise<OwnNotes> {
  const notes = new Map<string, readonly Document[]>();
  for (const source of sources) notes.set(source, await readLabelled(source, scheme, signal));
  return notes;
}

/** What reads them. */
interface Reading {
  readonly representation: Representation;
  readonly vocabulary: Vocabulary;
  readonly scheme: LabelScheme;
  /** BCP 47, of the notes. */
  readonly language?: string | undefined;
}

/**
 * Notes as a network of both reads them, a share of each source held to end the training, and copies of the others with
 * other entities, as many as the configuration draws. All of it follows from `random`, so that a run that goes on reads
 * what it read before. Throws `corpus-invalid` where a source is of one document alone.
 */
export async function prepareOwnText(
  notes: OwnNotes,
  { representation, vocabulary, scheme, language }: Reading,
  config: Pick<TrainingConfig, 'validationShare' | 'augmentation'>,
  random: Random,
  work: Work,
): Promise<PreparedText> {
  const parts = [...notes].map(([source, documents], i) => {
    const draws = random.fork(`split/${i}`);
    return splitDocuments(documents, config.validationShare, draws, path.basename(source));
  });
  const read = (documents: readonly Document[], part: string) =>
    besideWords(
      textExamples(documents, scheme, vocabulary),
      representation,
      vocabulary,
      random.fork(part),
      work,
    );
  const documents = parts.flatMap(({ train }) => train);
  const held = parts.flatMap(({ validation }) => validation);
  const toCopy = { documents, scheme, corpusName: 'own notes', language };
  const copies = await replacedCopies(toCopy, config, random.fork('replaced copies'));
  const originals = await read(documents, 'train');
  const others: PartlyReadExample[][] = [];
  for (const [i, copy] of copies.entries()) others.push(await read(copy, `copy/${i}`));
  const { replaced: perEpoch } = config.augmentation;
  return {
    train: [originals, ...others].flat(),
    ...(copies.length > perEpoch && { turns: { originals, copies: others, perEpoch } }),
    validation: await read(held, 'validation'),
    held: held.map((document) => mapTypes(document, scheme)),
  };
}
