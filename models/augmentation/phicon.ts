/** D_aug of Yue and Zhou 2020, section 2: sentences that hold PHI, with other entities, in other words, or both. */
import { TacetError } from '../../proto/errors.js';
import type { Embeddings } from '../embeddings/embeddings.js';
import { createInventory } from '../surrogates/create-inventory.js';
import type { Draws } from '../surrogates/draws.js';
import { Inventory } from '../surrogates/inventory.js';
import { replaceEntities } from '../surrogates/replacement.js';
import type { Document } from '../text/document.js';
import type { LabelScheme } from '../text/label-scheme.js';
import { contextWords, inOtherWords, withStatedSentences } from './context.js';
import { englishLexicon } from './english-lexicon.js';
import type { Lexicon } from './lexicon.js';
import { spanishLexicon } from './spanish-lexicon.js';

export interface Phicon {
  /** Each PHI span becomes a random item of its type. */
  readonly phi: boolean;
  /** Sentences that hold PHI are put in other words. */
  readonly context: boolean;
  /** How many copies there are. */
  readonly alpha: number;
}

export interface NotesToAugment {
  readonly documents: readonly Document[];
  readonly scheme: LabelScheme;
  readonly embeddings: Embeddings;
  /** What people call these notes. */
  readonly corpusName: string;
  /** BCP 47, of the notes. */
  readonly language?: string | undefined;
}

/**
 * α copies of the documents, whose sentences that hold PHI are D_aug (`holdsPhi`). Entities come from public
 * lists and forms of the language; only a type that has none there takes those of the notes. Throws
 * `config-invalid` where neither is asked for, entities in no language, or other words in one that has none.
 */
export async function phiconCopies(
  notes: NotesToAugment,
  { phi, context, alpha }: Phicon,
  draws: Draws,
  signal?: AbortSignal,
): Promise<Document[][]> {
  if (alpha === 0) return [];
  if (!phi && !context)
    throw new TacetError(
      'config-invalid',
      'augmentation.alpha asks for augmented copies, and augmentation.phi and augmentation.context are both ' +
        'false; expected one of them to be true',
    );
  const { documents, scheme } = notes;
  const inventory = phi ? await publicInventory(notes) : undefined;
  const words = context
    ? await contextWords(documents, scheme, await lexiconOf(notes), signal)
    : undefined;
  const stated = documents.map((document) => withStatedSentences(document, scheme));
  return Array.from({ length: alpha }, () =>
    stated.map((document) => {
      signal?.throwIfAborted();
      const replaced = inventory ? replaceEntities(document, scheme, inventory, draws) : document;
      return words ? inOtherWords(replaced, scheme, words, draws) : replaced;
    }),
  );
}

/** Public entities of a language; of a type that has none, those of the notes themselves. */
async function publicInventory({
  documents,
  scheme,
  corpusName,
  language,
}: Omit<NotesToAugment, 'embeddings'>): Promise<Inventory> {
  if (language === undefined)
    throw new TacetError(
      'config-invalid',
      'augmentation.phi draws entities that are public in a language, and that of the notes is not stated: state it ' +
        'with --language, or set augmentation.phi to false',
    );
  const corpora = [{ name: corpusName, documents }];
  const languages = [language];
  const options = { commonShare: 1, corpusWords: false };
  return new Inventory(await createInventory(scheme, { corpora, languages }, options));
}

async function lexiconOf({ language, embeddings }: NotesToAugment): Promise<Lexicon> {
  const base = language?.toLowerCase().split(/[-_]/)[0];
  if (base === 'en') return englishLexicon(embeddings);
  if (base === 'es') return spanishLexicon(embeddings);
  throw new TacetError(
    'config-invalid',
    `augmentation.context is for English and Spanish; the language of the notes is ${language ?? 'not stated'}: state it with --language, or set augmentation.context to false`,
  );
}
