import { stat } from 'node:fs/promises';
import path from 'node:path';
import { generateNotes } from '../../../models/synthetic/generate-notes.js';
import { type HouseForms, houseForms } from '../../../models/synthetic/house-forms.js';
import { INSTITUTIONS as SYNTHETIC_INSTITUTIONS } from '../../../models/synthetic/institutions.js';
import { Random } from '../../../models/tensor/random.js';
import { keptTogether } from '../../../models/text/corpus/kept-together.js';
import { readCorpus } from '../../../models/text/corpus/read-corpus.js';
import type { Document } from '../../../models/text/document.js';
import { TacetError } from '../../../proto/errors.js';

/** Who holds which notes in the demo; no document is in two places. */
export interface Parts {
  /** Public, PHI-labelled: the provider's. */
  readonly provider: readonly Document[];
  readonly institutions: readonly Institution[];
  /** Nothing is trained on these; the table's scores come from them. */
  readonly unseen: readonly Document[];
}

export interface Institution {
  readonly name: string;
  readonly notes: readonly Document[];
  /** How it writes and labels entities, where it states that. */
  readonly house?: HouseForms | undefined;
}

const INSTITUTIONS = 3;

/** The provider's share of the documents that are trained on. */
const PROVIDER_SHARE = 0.4;
/** Held out of every institution where a corpus brings no part of its own for that. */
const UNSEEN_SHARE = 0.25;

const SYNTHETIC_NOTES = 480;

/** Notes of four invented institutions: the first's are public, the others' private. */
export function syntheticParts(seed: number, documents = SYNTHETIC_NOTES): Parts {
  const groups = new Map<string, Document[]>();
  for (const note of generateNotes({ seed, documents, institutions: INSTITUTIONS + 1 })) {
    const group = groups.get(note.institution) ?? [];
    group.push(note);
    groups.set(note.institution, group);
  }
  const [[, provider], ...rest] = [...groups];
  return holdOut(
    provider,
    rest.map(([name, notes]) => ({ name, notes, house: houseOf(name) })),
    seed,
  );
}

function houseOf(name: string): HouseForms | undefined {
  const house = SYNTHETIC_INSTITUTIONS.find(({ id }) => id === name);
  return house && houseForms(house);
}

/**
 * A corpus, dealt out by whole groups of documents (for MEDDOCAN the journal's ISSN, which begins
 * each file name; elsewhere what stands before the first hyphen). Its `dev` folder is the unseen
 * part; where there is none, a quarter of every institution's documents is.
 */
export async function corpusParts(directory: string, seed: number, signal: AbortSignal) {
  const train = await isDirectory(path.join(directory, 'train'));
  const dev = await isDirectory(path.join(directory, 'dev'));
  const documents = await collect(train ? path.join(directory, 'train') : directory, signal);
  const [provider, ...institutions] = dealOut(documents);
  const named = institutions.map((notes, i) => ({ name: `institution ${'ABC'[i]}`, notes }));
  if (!train || !dev) return holdOut(provider, named, seed);
  const unseen = await collect(path.join(directory, 'dev'), signal);
  return { provider, institutions: named, unseen } satisfies Parts;
}

function holdOut(
  provider: readonly Document[],
  institutions: readonly Institution[],
  seed: number,
): Parts {
  const unseen: Document[] = [];
  const kept = institutions.map(({ notes, ...institution }) => {
    const { name } = institution;
    const order = keptTogether(notes);
    new Random(seed).fork(`unseen/${name}`).shuffle(order);
    const held = Math.round(order.length * UNSEEN_SHARE);
    unseen.push(...order.slice(0, held).flat());
    return { ...institution, notes: order.slice(held).flat() };
  });
  return { provider, institutions: kept, unseen };
}

const ISSN = /^S?\d{4}-\d{3}[\dX]/;

function groupOf({ id }: Document): string {
  return ISSN.exec(id)?.[0] ?? id.split('-', 1)[0];
}

/** Largest group first, each to whoever is furthest below their share: provider, then institutions. */
function dealOut(documents: readonly Document[]): Document[][] {
  const groups = new Map<string, Document[]>();
  for (const document of documents) {
    const group = groupOf(document);
    groups.set(group, [...(groups.get(group) ?? []), document]);
  }
  const shares = [PROVIDER_SHARE, ...Array(INSTITUTIONS).fill((1 - PROVIDER_SHARE) / INSTITUTIONS)];
  const hands: Document[][] = shares.map(() => []);
  const shortfall = (hand: number) => shares[hand] * documents.length - hands[hand].length;
  if (groups.size <= INSTITUTIONS) {
    throw new TacetError(
      'corpus-invalid',
      `the corpus has ${groups.size} groups of documents; a provider and ${INSTITUTIONS} institutions ` +
        'need one each, told apart by what stands before the first hyphen of a file name',
    );
  }
  for (const group of [...groups.values()].sort((a, b) => b.length - a.length)) {
    const neediest = shares.map((_, hand) => hand).sort((a, b) => shortfall(b) - shortfall(a))[0];
    hands[neediest].push(...group);
  }
  return hands;
}

async function collect(directory: string, signal: AbortSignal): Promise<Document[]> {
  const documents: Document[] = [];
  for await (const document of readCorpus(directory, { signal })) documents.push(document);
  return documents;
}

async function isDirectory(file: string): Promise<boolean> {
  return (await stat(file).catch(() => null))?.isDirectory() ?? false;
}
