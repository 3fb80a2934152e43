import { findCandidates } from '../../models/embeddings/candidates.js';
import type { Vocabulary } from '../../models/embeddings/vocabulary.js';
import type { Tagger } from '../../models/networks/tagger.js';
import { createInventory } from '../../models/surrogates/create-inventory.js';
import { Inventory } from '../../models/surrogates/inventory.js';
import { replaceEntities } from '../../models/surrogates/replacement.js';
import { Random } from '../../models/tensor/random.js';
import type { Document } from '../../models/text/document.js';
import { tokenise } from '../../models/text/tokeniser.js';
import type { TextExample } from '../../models/training/data/examples.js';
import { movedTokens } from '../../models/training/data/pseudonymisation.js';
import { phiWords } from '../../models/training/recipes.js';
import { partSites } from '../runs/sites.js';
import type { Work } from '../runs/subject.js';
import { learnRow, type MatrixMaterial, type MatrixOptions, type MatrixRow } from './matrix.js';
import { CHANCE, IN_CLEAR, toldFromPseudonyms, toldFromReleases } from './sharing-attack.js';
import { NOTHING, NOTHING_LEAVES, type Shared, type SharingOptions } from './sharing-result.js';
import { copiesOf, isReplaced, type PooledWay, sharingName } from './sharing-way.js';
import { scoresBySite } from './site-scores.js';

/** Trains where all that is shared comes together: text, as it is or treated, or releases. */
export async function learnInOnePlace(
  way: PooledWay,
  material: MatrixMaterial,
  options: SharingOptions,
  work: Work,
): Promise<Shared> {
  const { measured } = partSites(options, new Random(options.config.seed));
  const { tagger, ...shared } = await learnPooled(way, material, options, work);
  try {
    return { ...shared, sites: scoresBySite(tagger, measured, work) };
  } finally {
    tagger.deidentifier.dispose();
  }
}

/** What left every place, and what was learned of it, to be disposed of. */
export interface Pooled extends Omit<Shared, 'sites'> {
  readonly tagger: Tagger;
}

/** As `learnInOnePlace`, before anything is measured. */
export async function learnPooled(
  way: PooledWay,
  material: MatrixMaterial,
  options: SharingOptions,
  work: Work,
): Promise<Pooled> {
  const parts = { ...options, ...(await treatment(way, material, options, work)) };
  const copies = copiesOf(way, options.copies);
  // Releases of replaced notes and of notes as they are have files of their own.
  const shared = { ...parts, copies, releasedAs: sharingName(way) };
  const { tagger } = await learnRow(rowOf(way), material, shared, work);
  return { ...termsOf(way, material, parts, work), tagger };
}

/** What leaves all places in that way, how well it hides, and what is promised. `parts` say how notes are treated. */
export function termsOf(
  way: PooledWay,
  material: MatrixMaterial,
  parts: SharingOptions & Pick<MatrixOptions, 'treated'>,
  work: Work,
): Omit<Shared, 'sites'> {
  if (way.way === 'alone') return NOTHING_LEAVES;
  const { treated, ...options } = parts;
  const bytes = copiesOf(way, parts.copies).sites * bytesOf(way, ownDocuments(parts));
  const promised = isReplaced(way) ? 'labelled entities: chance' : NOTHING;
  const once = { bytes, rounds: 1 };
  if (!('through' in way))
    return {
      ...once,
      leaves: LEAVES[way.way],
      guarantee: promised,
      attack: attackOnText(way.way, material, options, work),
    };
  return {
    ...once,
    leaves: 'noisy vectors, labels',
    guarantee: `${promised}; see its audit`,
    attack: async () =>
      isReplaced(way) ? CHANCE : toldFromReleases(way.through, material, options, work),
  };
}

type TextWay = Exclude<PooledWay, { site: string } | { through: unknown }>['way'];

const LEAVES: Record<TextWay, string> = {
  text: 'text',
  'pseudonymised text': 'text, movable PHI words moved',
  'replaced text': 'text, entities replaced',
};

function attackOnText(way: TextWay, material: MatrixMaterial, options: SharingOptions, work: Work) {
  return async () => {
    if (way === 'pseudonymised text') return toldFromPseudonyms(material, options, work);
    return way === 'text' ? IN_CLEAR : CHANCE;
  };
}

function rowOf(way: PooledWay): MatrixRow {
  if (way.way === 'alone') return way;
  return 'through' in way ? { way: 'released', through: way.through } : { way: 'text' };
}

/** Of text in UTF-8; of releases numbers of 16 bits, and a label a token. */
function bytesOf(way: PooledWay, documents: readonly Document[]): number {
  if (!('through' in way)) return sumOf(documents, ({ text }) => Buffer.byteLength(text));
  const { dimension } = way.through.representation.config;
  return sumOf(documents, ({ text }) => tokenise(text).length * (2 * dimension + 1));
}

/** What institutions share; the provider's notes are public. */
function ownDocuments(options: MatrixOptions): Document[] {
  const { learned } = partSites(options, new Random(options.config.seed));
  const own = learned.filter(({ name }) => name !== options.provider?.name);
  return own.flatMap(({ documents }) => documents);
}

/** What becomes of notes before they are shared in that way. */
export async function treatment(
  way: PooledWay,
  material: MatrixMaterial,
  options: SharingOptions,
  work: Work,
): Promise<Pick<MatrixOptions, 'treated' | 'moved'>> {
  if (isReplaced(way)) return { treated: await replacing(material, options) };
  return way.way === 'pseudonymised text' ? { moved: moving(options, work) } : {};
}

/** Puts other entities of the same types, from the provider's notes and public lists, in the place of all. */
async function replacing(
  { scheme }: MatrixMaterial,
  { provider, sources, config }: SharingOptions,
): Promise<NonNullable<MatrixOptions['treated']>> {
  const corpora = provider ? [provider] : [];
  const inventory = new Inventory(await createInventory(scheme, { ...sources, corpora }));
  return ({ name, documents }, copy) => {
    // Of the place and the copy alone, so that they are replaced alike however often that is asked for.
    const draws = new Random(config.seed).fork(`surrogates/${name}`).fork(`copy/${copy}`);
    return documents.map((document) => replaceEntities(document, scheme, inventory, draws));
  };
}

/** Moves every PHI word to one of its neighbours, as Friedrich et al. 2019, section 4. */
function moving({ config, neighbours }: SharingOptions, work: Work) {
  return async (sentences: readonly TextExample[], vocabulary: Vocabulary) => {
    const candidates = await findCandidates(vocabulary, phiWords(sentences), neighbours, work);
    return movedTokens(sentences, candidates, new Random(config.seed).fork('pseudonyms'));
  };
}

function sumOf<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((sum, item) => sum + of(item), 0);
}
