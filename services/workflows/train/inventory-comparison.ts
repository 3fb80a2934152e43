import path from 'node:path';
import { documentsDigest } from '../../../models/text/documents-digest.js';
import type { TrainingConfig } from '../../../models/training/configuration/config.js';
import { makeFolders } from '../../../platform/files/make-folders.js';
import { TacetError } from '../../../proto/errors.js';
import {
  type ArmName,
  type ArmResult,
  type ArmSite,
  type ArmsOptions,
  measureArm,
  usesOwnForms,
} from '../../../study/sharing/inventory-arms.js';
import { LOW_THRESHOLDS } from '../../../study/sharing/site-scores.js';
import type { Context } from '../context.js';
import { readFormsFile } from '../inventory-files.js';
import { onceMeasured, type Settings } from './measured-once.js';
import type { Named } from './named.js';
import { type NotesOptions, readLabelled, readNotes } from './run-material.js';

export interface InventoryComparison extends NotesOptions {
  readonly institutions: Named<string>;
  readonly heldOut: Named<string>;
  readonly heldOutShare: number;
  readonly unseen: Named<string>;
  readonly locales: Named<readonly string[]>;
  /** Files in which an institution states how it writes and labels. */
  readonly ownForms: Named<string>;
  readonly language: string;
  readonly only: readonly ArmName[];
  readonly seeds: readonly number[];
  readonly config: TrainingConfig;
  /** A file for each arm and seed; what is there already is not measured again. */
  readonly out: string;
}

type Work = Pick<Context, 'signal' | 'progress'>;

/**
 * Yields one arm and seed after another. Several processes may work in one directory, each on arms or
 * seeds of its own. Throws `usage` where a held-out part or a locale is of no institution.
 */
export async function* compareInventories(
  comparison: InventoryComparison,
  context: Work,
): AsyncGenerator<ArmResult> {
  const { out, only, seeds, config } = comparison;
  makeFolders(out);
  const material = await materialOf(comparison, context);
  for (const seed of seeds)
    for (const arm of only) {
      const file = path.join(out, `${arm}-seed-${seed}.json`);
      const options = { ...material.options, config: { ...config, seed } };
      yield onceMeasured(file, settingsOf(comparison, material, arm), () =>
        measureArm(arm, material.provider, options, context),
      );
    }
}

/** Own forms are of the arms that use them alone. */
function settingsOf(
  { config, locales, heldOutShare, language }: InventoryComparison,
  { provider, options }: InventoryMaterial,
  arm: ArmName,
): Settings {
  const { seed: _, ...configuration } = config;
  const digestsOf = (sites: readonly ArmSite[]) =>
    sites.map(({ name, documents }) => [name, documentsDigest(documents)]);
  const { institutions, heldOut, unseen } = options;
  const forms = institutions.map(({ name, ownForms = [] }) => [
    name,
    ownForms.map(({ digest }) => digest),
  ]);
  return {
    ...{ configuration, thresholds: LOW_THRESHOLDS, locales, heldOutShare, language },
    corpus: documentsDigest(provider.documents),
    scheme: provider.scheme.digest,
    embeddings: provider.embeddings.identity,
    institutions: digestsOf(institutions),
    heldOut: digestsOf(heldOut),
    unseen: digestsOf(unseen),
    ...(usesOwnForms(arm) && { ownForms: forms }),
  };
}

type InventoryMaterial = Awaited<ReturnType<typeof materialOf>>;

async function materialOf(comparison: InventoryComparison, context: Work) {
  const { institutions, heldOut, unseen, locales, ownForms, heldOutShare, language } = comparison;
  const names = institutions.map(([name]) => name);
  const stray = [...heldOut, ...locales, ...ownForms].find(([name]) => !names.includes(name))?.[0];
  if (stray !== undefined)
    throw new TacetError('usage', `${stray}: expected one of the institutions ${names.join(', ')}`);
  const provider = await readNotes(comparison, context);
  const sitesOf = (named: Named<string>): Promise<ArmSite[]> =>
    Promise.all(
      named.map(async ([name, corpus]) => ({
        name,
        documents: await readLabelled(corpus, provider.scheme, context.signal),
        locales: locales.find(([site]) => site === name)?.[1] ?? [],
        ownForms: await Promise.all(
          ownForms.filter(([site]) => site === name).map(([, file]) => readFormsFile(file)),
        ),
      })),
    );
  const options: Omit<ArmsOptions, 'config'> = {
    institutions: await sitesOf(institutions),
    heldOut: await sitesOf(heldOut),
    unseen: await sitesOf(unseen),
    ...{ heldOutShare, language },
  };
  return { provider, options };
}
