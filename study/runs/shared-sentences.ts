import type { Random } from '../../models/tensor/random.js';
import type { Document } from '../../models/text/document.js';
import type { TrainingConfig } from '../../models/training/configuration/config.js';
import type { TextExample } from '../../models/training/data/examples.js';
import { splitDocuments } from '../../models/training/data/split.js';
import { joinTurns, type Turns } from '../../models/training/data/turns.js';
import { type NotesToCopy, replacedCopies } from '../../models/training/replaced-copies.js';
import { partSites, type SharingSites, type Site } from './sites.js';

/** Whose notes are shared, and how often. */
export interface SharedNotes extends SharingSites {
  readonly config: TrainingConfig;
  /** How often notes are shared, of which each epoch learns from one copy, in turn; once where it is not said. */
  readonly copies?: { readonly provider: number; readonly sites: number } | undefined;
  /** How text is read that is learned from beside copies with other entities of its own, as many as `config` draws. */
  readonly copied?: Pick<NotesToCopy, 'scheme' | 'language'> | undefined;
}

/** How documents are read: those of the provider, which are public and never moved, and those of places. */
export interface Reading {
  known(documents: readonly Document[]): readonly TextExample[];
  own(documents: readonly Document[]): Promise<readonly TextExample[]>;
}

export interface SharedSentences {
  /** All copies. */
  readonly train: readonly TextExample[];
  readonly validation: readonly TextExample[];
  readonly turns: Turns;
}

const ONCE = { provider: 1, sites: 1 };

/**
 * What is learned from where notes are shared, split by document, whatever becomes of it before it is shared; `only`
 * names the places that share where it is not all. Whatever stands in several copies is validated by the first of them;
 * an epoch has one copy of the provider's notes and one of the others', in turn, beside copies with other entities.
 */
export async function sharedSentences(
  notes: SharedNotes,
  { known, own }: Reading,
  random: Random,
  only?: readonly string[],
): Promise<SharedSentences> {
  const { provider: publicCopies, sites: ownCopies } = notes.copies ?? ONCE;
  const learnedOf = (parts: SharedNotes, copy?: number) =>
    partSites(parts, random, copy).learned.filter(({ name }) => only?.includes(name) ?? true);
  const { treated: _, ...asTheyAre } = notes;
  const held = heldPlaces(learnedOf(asTheyAre), notes, random);
  const shared = Array.from({ length: ownCopies }, (_, copy) =>
    sharedOf(learnedOf(notes, copy), held, notes),
  );
  const [first] = shared as [SharedCopy, ...SharedCopy[]];
  const ofProvider = Array.from({ length: publicCopies }, () => known(first.known.train));
  const ofPlaces = await Promise.all(shared.map((copy) => own(copy.own.train)));
  const validation = [...known(first.known.validation), ...(await own(first.own.validation))];
  const copies = Array.from({ length: Math.max(publicCopies, ownCopies) }, (_, copy) => [
    ...(ofProvider[copy % publicCopies] ?? []),
    ...(ofPlaces[copy % ownCopies] ?? []),
  ]);
  const turns = { originals: [], copies, perEpoch: 1 };
  const replaced = await copiesOfText(first, notes, random);
  if (replaced.length === 0)
    return { train: [...ofProvider, ...ofPlaces].flat(), validation, turns };
  const provided = first.known.train.length;
  const others: TextExample[][] = [];
  for (const copy of replaced)
    others.push([...known(copy.slice(0, provided)), ...(await own(copy.slice(provided)))]);
  const beside = { originals: [], copies: others, perEpoch: notes.config.augmentation.replaced };
  return {
    train: [...ofProvider, ...ofPlaces, ...others].flat(),
    validation,
    turns: joinTurns([turns, beside]),
  };
}

async function copiesOfText(
  { known, own }: SharedCopy,
  { copied, config }: SharedNotes,
  random: Random,
): Promise<Document[][]> {
  if (!copied) return [];
  const documents = [...known.train, ...own.train];
  const notes = { documents, ...copied, corpusName: 'own notes' };
  return replacedCopies(notes, config, random.fork('replaced copies'));
}

interface Split {
  readonly train: readonly Document[];
  readonly validation: readonly Document[];
}

/** One copy of the provider's notes, and of those of places. */
interface SharedCopy {
  readonly known: Split;
  readonly own: Split;
}

/** Of each site, which of its documents validate, by these as they are: near copies with other entities are not told. */
function heldPlaces(
  sites: readonly Site[],
  { config }: SharedNotes,
  random: Random,
): ReadonlySet<number>[] {
  return sites.map(({ name, documents }) => {
    const { validation } = splitDocuments(
      documents,
      config.validationShare,
      random.fork(`split/${name}`),
      `notes of ${name} to learn from`,
    );
    const held = new Set(validation);
    return new Set(documents.flatMap((document, place) => (held.has(document) ? place : [])));
  });
}

function sharedOf(
  sites: readonly Site[],
  held: readonly ReadonlySet<number>[],
  { provider }: SharedNotes,
): SharedCopy {
  const documentsOf = (areKnown: boolean, validate: boolean) =>
    sites.flatMap(({ name, documents }, site) =>
      (name === provider?.name) === areKnown
        ? documents.filter((_, place) => held[site]?.has(place) === validate)
        : [],
    );
  const splitOf = (areKnown: boolean): Split => {
    return { train: documentsOf(areKnown, false), validation: documentsOf(areKnown, true) };
  };
  return { known: splitOf(true), own: splitOf(false) };
}
