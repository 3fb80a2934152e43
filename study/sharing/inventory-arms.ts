/**
 * What a pool of text learns where the institutions' entities were replaced, by what they were replaced
 * with: a provider and institutions have corpora of their own, whose names come from different countries,
 * and a de-identifier that all of them trained is measured on held-out documents of each.
 */
import { vocabularyFor } from '../../models/networks/vocabulary-for.js';
import {
  createInventory,
  type InventoryOptions,
  type InventorySources,
} from '../../models/surrogates/create-inventory.js';
import { Inventory } from '../../models/surrogates/inventory.js';
import type { OwnForms } from '../../models/surrogates/own-forms.js';
import { replaceEntities } from '../../models/surrogates/replacement.js';
import { Random } from '../../models/tensor/random.js';
import type { Document } from '../../models/text/document.js';
import type { TrainingConfig } from '../../models/training/configuration/config.js';
import { textExamples } from '../../models/training/data/examples.js';
import { splitDocuments } from '../../models/training/data/split.js';
import { trainOnText } from '../../models/training/supervised.js';
import { type HeldOut, partEach, requireUnseenParts, type Site } from '../runs/sites.js';
import type { Material, Work } from '../runs/subject.js';
import { type SiteScores, scoresBySite } from './site-scores.js';

/** What becomes of the institutions' notes in one arm. */
interface Arm extends InventoryOptions {
  readonly shared: 'nothing' | 'text' | 'replaced';
  /** Forms and names of the language beside the provider's entities. */
  readonly language?: boolean;
  /** Names and places of the institution's own country. */
  readonly locale?: boolean;
  /** How the institution writes and labels, as it states it. */
  readonly own?: boolean;
  /** How often each note is replaced. */
  readonly copies?: number;
  /** Entities of the types that the scheme says describe stay as they are. */
  readonly keepsDescribing?: boolean;
}

const COUNTRY = { shared: 'replaced', language: true, locale: true } as const;

const ARM_BY_NAME = {
  alone: { shared: 'nothing' },
  text: { shared: 'text' },
  provider: { shared: 'replaced' },
  forms: { shared: 'replaced', language: true },
  locale: COUNTRY,
  'describing-kept': { ...COUNTRY, keepsDescribing: true },
  rare: { ...COUNTRY, exponent: 0 },
  'few-common': { ...COUNTRY, commonShare: 0.25 },
  'common-alone': { ...COUNTRY, commonShare: 1 },
  pseudo: { ...COUNTRY, pseudoWords: 0.25 },
  copies: { ...COUNTRY, copies: 3 },
  own: { ...COUNTRY, own: true },
  'own-copies': { ...COUNTRY, own: true, copies: 3 },
  all: { ...COUNTRY, exponent: 0.25, pseudoWords: 0.1, copies: 3 },
} as const satisfies Record<string, Arm>;

export type ArmName = keyof typeof ARM_BY_NAME;
export const ARM_NAMES = Object.keys(ARM_BY_NAME) as readonly ArmName[];

export function usesOwnForms(name: ArmName): boolean {
  const arm: Arm = ARM_BY_NAME[name];
  return arm.own ?? false;
}

/** A place, and what names are like there. */
export interface ArmSite extends Site {
  /** faker's, of its country. */
  readonly locales?: readonly string[];
  readonly ownForms?: readonly OwnForms[];
}

export interface ArmsOptions extends HeldOut {
  /** Whose notes are public: `documents` of the material. */
  readonly institutions: readonly ArmSite[];
  /** Measured, and never trained on: places that nobody has. */
  readonly unseen: readonly Site[];
  /** BCP 47. */
  readonly language: string;
  readonly config: TrainingConfig;
}

export interface ArmResult {
  readonly arm: ArmName;
  readonly seed: number;
  readonly sentences: number;
  readonly epochs: number;
  readonly bestEpoch: number;
  /** By name, of held-out documents. */
  readonly sites: Readonly<Record<string, SiteScores>>;
}

type Notes = Omit<Material, 'heldOut'>;

/**
 * Trains and measures one arm. The seed of the configuration parts documents too: what is measured on alike in every arm,
 * and what validates alike in every arm that shares the institutions' notes, whatever becomes of them; where nothing is
 * shared, a share of the provider's does. Throws as `requireUnseenParts` and `partEach`.
 */
export async function measureArm(
  name: ArmName,
  provider: Notes,
  options: ArmsOptions,
  work: Work,
): Promise<ArmResult> {
  const arm: Arm = ARM_BY_NAME[name];
  const { config } = options;
  const { scheme } = provider;
  const random = new Random(config.seed);
  const parted = partEach(options.institutions, options, random);
  requireUnseenParts(parted, { ...options, provider: provider.documents });
  const mapped = await Promise.all(
    parted.map(({ site, train }) =>
      sharedOf(arm, { ...site, documents: train }, provider, options),
    ),
  );
  const notes = [
    ...provider.documents.map((document) => ({ document, shared: [document] })),
    ...mapped.flat().filter(({ shared }) => shared.length > 0),
  ];
  const { validation } = splitDocuments(
    notes.map(({ document }) => document),
    config.validationShare,
    random.fork('split'),
  );
  const held = new Set(validation);
  const vocabulary = vocabularyFor(provider.embeddings, config.deidentifier);
  const examplesOf = (validates: boolean) => {
    const part = notes.filter(({ document }) => held.has(document) === validates);
    const documents = part.flatMap(({ shared }) => shared);
    return textExamples(documents, scheme, vocabulary);
  };
  const parts = { train: examplesOf(false), validation: examplesOf(true) };
  const { deidentifier, stage } = await trainOnText(
    parts,
    vocabulary,
    scheme.labels.length,
    config,
    { ...work, random: random.fork(name) },
  );
  try {
    const measured = [
      ...parted.map(({ site, test }) => ({ ...site, documents: test })),
      ...options.unseen,
    ];
    const sites = scoresBySite({ deidentifier, vocabulary, scheme }, measured, work);
    const sentences = parts.train.length + parts.validation.length;
    const { epochs, bestEpoch } = stage;
    return { arm: name, seed: config.seed, sentences, epochs, bestEpoch, sites };
  } finally {
    deidentifier.dispose();
  }
}

/** A document, and what is shared of it: nothing, itself, or its copies, one after another. */
interface SharedNote {
  readonly document: Document;
  readonly shared: readonly Document[];
}

async function sharedOf(
  { shared, language, locale, own, copies = 1, keepsDescribing = false, ...draws }: Arm,
  site: ArmSite,
  { scheme, corpusName, documents }: Notes,
  options: ArmsOptions,
): Promise<readonly SharedNote[]> {
  const { documents: notes } = site;
  if (shared === 'nothing') return notes.map((document) => ({ document, shared: [] }));
  if (shared === 'text') return notes.map((document) => ({ document, shared: [document] }));
  const sources: InventorySources = {
    corpora: [{ name: corpusName, documents }],
    ...(language && { languages: [options.language] }),
    ...(locale && { locales: site.locales ?? [] }),
    ...(own && { ownForms: site.ownForms ?? [] }),
  };
  const inventory = new Inventory(await createInventory(scheme, sources, draws));
  const random = new Random(options.config.seed).fork(`surrogates/${site.name}`);
  const kept = new Set(keepsDescribing ? scheme.describes : []);
  const replaced = (document: Document) =>
    replaceEntities(document, scheme, inventory, random, kept);
  return notes.map((document) => ({
    document,
    shared: Array.from({ length: copies }, () => replaced(document)),
  }));
}
