import path from 'node:path';
import type { Vocabulary } from '../../../models/embeddings/vocabulary.js';
import { mapTypes } from '../../../models/evaluation/map-types.js';
import type { Representation } from '../../../models/networks/representation.js';
import type { Random } from '../../../models/tensor/random.js';
import type { Document } from '../../../models/text/document.js';
import type { LabelScheme } from '../../../models/text/label-scheme.js';
import type { TrainingConfig } from '../../../models/training/configuration/config.js';
import {
  type PartlyReadExample,
  type TextExample,
  textExamples,
} from '../../../models/training/data/examples.js';
import {
  besideWords,
  byWords,
  type OwnText,
  shareByWords,
} from '../../../models/training/data/own-text.js';
import { splitSources } from '../../../models/training/data/split.js';
import { replacedCopies } from '../../../models/training/replaced-copies.js';
import { TacetError } from '../../../proto/errors.js';
import type { Context } from '../context.js';
import { readLabelled } from './run-material.js';

/** Notes of one place whose words are read beside what others released. */
export interface OwnNotes {
  /** The file or folder. */
  readonly source: string;
  readonly documents: readonly Document[];
  /** Whether the representation learned from them, too: public notes of its provider's. */
  readonly isLearned: boolean;
}

/** What is learned from them, and what of them ends the training. */
export interface PreparedText extends OwnText {
  /** Of `validation`, with types of the scheme. */
  readonly held: readonly Document[];
}

type Work = Pick<Context, 'signal' | 'progress'>;

/** Throws `config-invalid` where a configuration asks for copies that are not drawn of own notes. */
export function requireWholeCopies({ augmentation }: Pick<TrainingConfig, 'augmentation'>): void {
  const { alpha } = augmentation;
  if (alpha === 0) return;
  throw new TacetError(
    'config-invalid',
    `augmentation.alpha is ${alpha}, and of notes that are read beside a pool's releases whole copies alone are drawn: ` +
      'set augmentation.replaced in its place, or leave it out with augmentation.phi and augmentation.context',
  );
}

/** `sources` of one's own, and of what the representation learned from. Throws as `readLabelled` does. */
export async function readOwnNotes(
  sources: { readonly own: readonly string[]; readonly learnedFrom: readonly string[] },
  scheme: LabelScheme,
  signal: AbortSignal,
): Promise<OwnNotes[]> {
  const all = [
    ...sources.own.map((source) => ({ source, isLearned: false })),
    ...sources.learnedFrom.map((source) => ({ source, isLearned: true })),
  ];
  const notes: OwnNotes[] = [];
  for (const each of all)
    notes.push({ ...each, documents: await readLabelled(each.source, scheme, signal) });
  return notes;
}

/** Of a run's draws those for its own text. */
export const OWN_DRAWS = 'own text';

/** Of each source a share that ends the training, and the rest (`splitSources`). Throws as that does. */
export function splitOwnNotes(
  notes: readonly OwnNotes[],
  { validationShare }: Pick<TrainingConfig, 'validationShare'>,
  random: Random,
): { train: Document[]; validation: Document[] }[] {
  const sources = notes.map(({ source, documents }, i) => {
    return { documents, random: random.fork(`split/${i}`), what: path.basename(source) };
  });
  return splitSources(sources, validationShare);
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
 * Notes as a network of both reads them, a share of each source held to end the training, what is of one origin in another
 * source with it (`splitOwnNotes`), and copies of the others with other entities, as many as the configuration draws. Of
 * what the representation learned from a share is read by words alone (`shareByWords`), and what ends the training is read
 * as notes will be. All of it follows from `random`, so that a run that goes on reads what it read before. Throws
 * `corpus-invalid` where all of a source are of one origin.
 */
export async function prepareOwnText(
  notes: readonly OwnNotes[],
  { representation, vocabulary, scheme, language }: Reading,
  config: Pick<TrainingConfig, 'validationShare' | 'augmentation'>,
  random: Random,
  work: Work,
): Promise<PreparedText> {
  const parts = splitOwnNotes(notes, config, random);
  const examplesOf = (documents: readonly Document[]) =>
    textExamples(documents, scheme, vocabulary);
  const withVectors = (examples: readonly TextExample[], part: string) =>
    besideWords(examples, representation, vocabulary, random.fork(part), work);
  const isLearned = parts.flatMap(({ train }, i) => train.map(() => notes[i]?.isLearned === true));
  const share = shareByWords(notes.some((each) => !each.isLearned));
  const read = async (documents: readonly Document[], part: string) => {
    const examples = examplesOf(documents);
    const draws = random.fork(`${part}/by words`);
    const blind = new Set(
      examples.filter(
        ({ documentIndex }) => isLearned[documentIndex] === true && draws.uniform() < share,
      ),
    );
    const seeing = examples.filter((example) => !blind.has(example));
    const encoded = (await withVectors(seeing, part)).values();
    return examples.map((example) =>
      blind.has(example)
        ? byWords(example, representation.config.dimension)
        : (encoded.next().value as PartlyReadExample),
    );
  };
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
    validation: await withVectors(examplesOf(held), 'validation'),
    held: held.map((document) => mapTypes(document, scheme)),
  };
}
