import type { Command } from 'commander';
import type { PipelineBeside } from '../encoder/model-calls.js';
import { openReadyPipeline } from '../institution/deidentify/ready-pipeline.js';
import { readTrustedKeys } from './credentials.js';

export interface BesideOptions {
  /** Folders of ready pipelines. */
  readonly beside?: readonly string[];
}

/** Pipelines of one's own that decide with another. */
export function withBesideOption<C extends Command>(command: C): C {
  return command.option(
    '--beside <folder...>',
    'pipelines of the same labels that decide with it, each a folder that `tacet pipeline make` wrote: of text of ' +
      'your own, beside one that a pool published',
  );
}

export async function besideOf({ beside = [] }: BesideOptions): Promise<PipelineBeside[]> {
  return Promise.all(
    beside.map(async (folder) => {
      const { bundle, publisher, embeddings } = await openReadyPipeline(folder);
      return {
        pipeline: bundle,
        trust: { trustedKeys: await readTrustedKeys([publisher]) },
        embeddings,
      };
    }),
  );
}
