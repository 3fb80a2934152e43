import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { TrainingConfig } from '../../../models/training/config.js';
import { writeAtomically } from '../../../platform/files/draft-file.js';
import { readJsonFile } from '../../../platform/files/json-file.js';
import { TacetError } from '../../../proto/errors.js';
import {
  type ArmName,
  type ArmResult,
  type ArmsOptions,
  measureArm,
  type Site,
} from '../../../study/inventory-arms.js';
import type { Context } from '../context.js';
import { type NotesOptions, readLabelled, readNotes } from './run-material.js';

/** A place by name, and where its notes lie, or which locales are its country's. */
export type Named<T> = readonly (readonly [name: string, value: T])[];

export interface InventoryComparison extends NotesOptions {
  readonly institutions: Named<string>;
  readonly heldOut: Named<string>;
  readonly heldOutShare: number;
  readonly unseen: Named<string>;
  readonly locales: Named<readonly string[]>;
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
  await mkdir(out, { recursive: true });
  let material: Awaited<ReturnType<typeof materialOf>> | undefined;
  for (const seed of seeds)
    for (const arm of only) {
      const file = path.join(out, `${arm}-seed-${seed}.json`);
      let result = await earlier(file);
      if (!result) {
        material ??= await materialOf(comparison, context);
        const options = { ...material.options, config: { ...config, seed } };
        result = await measureArm(arm, material.provider, options, context);
        await writeAtomically(file, [Buffer.from(`${JSON.stringify(result, null, 1)}\n`)]);
      }
      yield result;
    }
}

async function earlier(file: string): Promise<ArmResult | undefined> {
  const stated = { what: 'result', code: 'config-invalid' } as const;
  return readJsonFile(file, stated).then(
    (result) => result as ArmResult,
    (error) => {
      if (error instanceof TacetError && error.code === 'file-not-found') return undefined;
      throw error;
    },
  );
}

async function materialOf(comparison: InventoryComparison, context: Work) {
  const { institutions, heldOut, unseen, locales, heldOutShare, language } = comparison;
  const names = institutions.map(([name]) => name);
  const stray = [...heldOut, ...locales].find(([name]) => !names.includes(name))?.[0];
  if (stray !== undefined)
    throw new TacetError('usage', `${stray}: expected one of the institutions ${names.join(', ')}`);
  const provider = await readNotes(comparison, context);
  const sitesOf = (named: Named<string>): Promise<Site[]> =>
    Promise.all(
      named.map(async ([name, corpus]) => ({
        name,
        documents: await readLabelled(corpus, provider.scheme, context.signal),
        locales: locales.find(([site]) => site === name)?.[1] ?? [],
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
