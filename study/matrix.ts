/**
 * What a representation is worth to places that it does not come from: representations by places. In each row
 * a de-identifier learns from what its places share and is measured on held-out documents of every place: one
 * place's text alone, the text of all, releases of all through one representation.
 */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { CertifiedBoundReport } from '../models/attacks/certified-bound.js';
import { Vocabulary } from '../models/embeddings/vocabulary.js';
import { readsCharacters } from '../models/networks/character-config.js';
import type { Representation } from '../models/networks/representation.js';
import { Random } from '../models/tensor/random.js';
import type { Document } from '../models/text/document.js';
import type { TrainingConfig } from '../models/training/config.js';
import { type TextExample, textExamples } from '../models/training/examples.js';
import { splitDocuments } from '../models/training/split.js';
import { trainOnText } from '../models/training/supervised.js';
import { onReleases } from './learn-on-releases.js';
import { limitOf } from './limit.js';
import { type SiteScores, siteScores } from './site-scores.js';
import { type HeldOut, partSite, type Site } from './sites.js';
import type { Material, Work } from './subject.js';

/** Word vectors and labels, the same for all. */
export type MatrixMaterial = Pick<Material, 'embeddings' | 'scheme'>;

export interface NamedRepresentation {
  readonly name: string;
  readonly representation: Representation;
}

export interface MatrixOptions extends HeldOut {
  /** Shares its notes too; nothing is measured on them, since the representations may have learned from them. */
  readonly provider?: Site | undefined;
  /** Those that share what is not held out of their documents. */
  readonly sites: readonly Site[];
  /** Measured, and never trained on. */
  readonly unseen: readonly Site[];
  readonly config: TrainingConfig;
  /** Where releases are kept until they are learned from. */
  readonly directory: string;
  /** What their file is called; by the row where it is not said. */
  readonly releasedAs?: string | undefined;
  /** What becomes of a place's documents before they are shared, in each of its copies; the provider's stay as they are. */
  readonly treated?: (documents: readonly Document[], copy: number) => readonly Document[];
  /** What becomes of a place's sentences, the provider's excepted. */
  readonly moved?: (
    sentences: readonly TextExample[],
    vocabulary: Vocabulary,
  ) => Promise<readonly TextExample[]>;
  /** How often notes are shared, of which each epoch learns from one copy, in turn; once where it is not said. */
  readonly copies?: { readonly provider: number; readonly sites: number } | undefined;
}

/** What a row's de-identifier learns from. */
export type MatrixRow =
  | { readonly way: 'alone'; readonly site: string }
  | { readonly way: 'text' }
  | { readonly way: 'released'; readonly through: NamedRepresentation };

export interface MatrixResult {
  readonly row: string;
  readonly seed: number;
  readonly sentences: number;
  readonly epochs: number;
  readonly bestEpoch: number;
  /** By name, of held-out documents. */
  readonly sites: Readonly<Record<string, SiteScores>>;
}

/** The rows without a representation: each place alone, and the text of all. */
export function matrixRows(places: readonly string[]): MatrixRow[] {
  return [...places.map((site) => ({ way: 'alone', site }) as const), { way: 'text' }];
}

/** For people, and as the name of a file. */
export function rowName(row: MatrixRow): string {
  if (row.way === 'alone') return `alone ${row.site}`;
  return row.way === 'text' ? 'text' : `released ${row.through.name}`;
}

/** Trains and measures one row. The seed of the configuration parts documents too, alike in every row. */
export async function measureRow(
  row: MatrixRow,
  { embeddings, scheme }: MatrixMaterial,
  options: MatrixOptions,
  work: Work,
): Promise<MatrixResult> {
  const { config, directory } = options;
  const name = rowName(row);
  const random = new Random(config.seed);
  const { measured } = partSites(options, random);
  const through = row.way === 'released' ? row.through.representation : undefined;
  const vocabulary = vocabularyOf(embeddings, config, through);
  const examplesOf = async (documents: readonly Document[], isPublic: boolean) => {
    const sentences = textExamples(documents, scheme, vocabulary);
    return options.moved && !isPublic ? options.moved(sentences, vocabulary) : sentences;
  };
  const parts = await learnedFrom(row, options, examplesOf, random);
  const learn = through ? onReleases(through) : trainOnText;
  const file = path.join(directory, `${options.releasedAs ?? name}-seed-${config.seed}.float16`);
  const { deidentifier, stage } = await learn(
    parts,
    vocabulary,
    scheme.labels.length,
    { ...config, file },
    { ...work, random: random.fork(name) },
  );
  await rm(file, { force: true });
  const tagger = { deidentifier, vocabulary, scheme, ...(through && { representation: through }) };
  const sites: Record<string, SiteScores> = {};
  for (const site of measured) sites[site.name] = siteScores(tagger, site.documents, work);
  deidentifier.dispose();
  const sentences = parts.train.length + parts.validation.length;
  const { epochs, bestEpoch } = stage;
  return { row: name, seed: config.seed, sentences, epochs, bestEpoch, sites };
}

/**
 * What a row learns from, by document. Whatever stands in several copies is validated by the first of them; an
 * epoch has one copy of the provider's notes and one of the others', in turn.
 */
async function learnedFrom(
  row: MatrixRow,
  options: MatrixOptions,
  examplesOf: (
    documents: readonly Document[],
    isPublic: boolean,
  ) => Promise<readonly TextExample[]>,
  random: Random,
) {
  const { config, provider, copies = { provider: 1, sites: 1 }, treated } = options;
  const sharedIn = (copy: number) => {
    const inCopy = treated && {
      treated: (documents: readonly Document[]) => treated(documents, copy),
    };
    return partSites({ ...options, ...inCopy }, random)
      .learned.filter(({ name }) => row.way !== 'alone' || name === row.site)
      .map(({ name, documents }) => ({
        isPublic: name === provider?.name,
        ...splitDocuments(
          documents,
          config.validationShare,
          random.fork(`split/${name}`),
          `notes of ${name} to learn from`,
        ),
      }));
  };
  const partOf = (copy: number, part: 'train' | 'validation', isPublic: boolean) => {
    const sites = sharedIn(copy).filter((site) => site.isPublic === isPublic);
    return examplesOf(
      sites.flatMap((site) => site[part]),
      isPublic,
    );
  };
  const trainedIn = (count: number, isPublic: boolean) =>
    Promise.all(Array.from({ length: count }, (_, copy) => partOf(copy, 'train', isPublic)));
  const known = await trainedIn(copies.provider, true);
  const own = await trainedIn(copies.sites, false);
  const inTurn = Array.from({ length: Math.max(known.length, own.length) }, (_, copy) => [
    ...(known[copy % known.length] ?? []),
    ...(own[copy % own.length] ?? []),
  ]);
  const validation = [
    ...(await partOf(0, 'validation', true)),
    ...(await partOf(0, 'validation', false)),
  ];
  const turns = { originals: [], copies: inTurn, perEpoch: 1 };
  return { train: [...known, ...own].flat(), validation, turns };
}

/** What the certified bound says of a word that nobody labelled, by place; none where no word can move. */
export type SiteLimits = Readonly<Record<string, CertifiedBoundReport>>;

/** The certified bound on held-out documents of every place, for N neighbours. */
export async function measureLimits(
  { representation }: NamedRepresentation,
  { embeddings, scheme }: MatrixMaterial,
  { neighbours, ...options }: MatrixOptions & { readonly neighbours: number },
  work: Work,
): Promise<SiteLimits> {
  const random = new Random(options.config.seed);
  const vocabulary = vocabularyOf(embeddings, options.config, representation);
  const encoding = { representation, vocabulary, scheme, neighbours };
  const limits: Record<string, CertifiedBoundReport> = {};
  for (const { name, documents } of partSites(options, random).measured) {
    const notes = textExamples(documents, scheme, vocabulary);
    const limit = await limitOf(notes, [], encoding, random.fork(`limit/${name}`), work);
    if (limit) limits[name] = limit;
  }
  return limits;
}

/** Of each place what is learned from, and what is measured on. */
export function partSites(
  { provider, sites, unseen, treated = (documents) => documents, ...heldOut }: MatrixOptions,
  random: Random,
) {
  const parted = sites.map((site) => partSite(site, heldOut, random));
  const learned: Site[] = parted.map(({ site, train }) => ({
    ...site,
    documents: treated(train, 0),
  }));
  const measured: Site[] = parted.map(({ site, test }) => ({ ...site, documents: test }));
  return {
    learned: provider ? [provider, ...learned] : learned,
    measured: [...measured, ...unseen],
  };
}

function vocabularyOf(
  embeddings: Material['embeddings'],
  { deidentifier }: TrainingConfig,
  representation?: Representation,
): Vocabulary {
  const networks = [deidentifier, ...(representation ? [representation.config] : [])];
  return new Vocabulary(embeddings, { characters: networks.some(readsCharacters) });
}
