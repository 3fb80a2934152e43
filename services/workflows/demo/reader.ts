import path from 'node:path';
import type { Trust } from '../../../models/bundle/verify.js';
import type { Evaluation } from '../../../models/evaluation/evaluate.js';
import { writeCorpus } from '../../../models/text/corpus/write-corpus.js';
import type { ServiceClient } from '../../client/client.js';
import { fetchModel } from '../../client/fetch-model.js';
import { type DeidentificationJob, deidentifyNotes } from '../deidentify-notes.js';
import { evaluateSystems } from '../evaluate-systems.js';
import { holderOf } from './institution.js';
import type { PublishedModel } from './provider.js';
import { type DemoSetting, workOf } from './setting.js';

/** Folders of the notes that nothing was trained on, below the demo's own. */
export const UNSEEN = {
  text: 'unseen/text',
  gold: 'unseen/gold',
  system: 'unseen/system',
  deidentified: 'unseen/deidentified',
} as const;

/** A pipeline as someone has it. */
interface Pipeline {
  /** The bundle's directory. */
  readonly bundle: string;
  readonly trust: Trust;
  /** Where it was published. */
  readonly registry?: ServiceClient | undefined;
}

/**
 * An institution fetches the pipeline and de-identifies notes that nothing was trained on, from a
 * folder of text to a folder of annotations, which are then scored.
 */
export async function deidentifyUnseen(
  { name, version }: PublishedModel,
  setting: DemoSetting,
): Promise<Evaluation> {
  const { parts, servers, trust, directory } = setting;
  const work = workOf(setting, 'de-identify');
  const { signal } = work;
  const holder = holderOf(parts.institutions[0]);
  const registry = servers.registry(holder);
  const bundle = path.join(directory, holder, 'pipeline');
  await fetchModel(registry, { name, version }, bundle, { ...trust, signal });
  await writeCorpus(parts.unseen, path.join(directory, UNSEEN.text), 'text', { signal });
  await writeCorpus(parts.unseen, path.join(directory, UNSEEN.gold), 'brat', { signal });
  const pipeline = { bundle, trust, registry };
  const evaluation = await scoreUnseen(pipeline, path.join(directory, UNSEEN.system), setting);
  const clean = path.join(directory, UNSEEN.deidentified);
  const treatment = { format: 'text', treatment: 'tag', patterns: true } as const;
  await deidentifyNotes({ ...unseenWith(pipeline, setting), ...treatment, output: clean }, work);
  return evaluation;
}

/** What a pipeline finds in the unseen notes, which it annotates in the folder `system`. */
export async function scoreUnseen(
  pipeline: Pipeline,
  system: string,
  setting: DemoSetting,
): Promise<Evaluation> {
  const work = workOf(setting, 'de-identify');
  const treatment = { format: 'brat', treatment: 'annotate', patterns: false } as const;
  await deidentifyNotes({ ...unseenWith(pipeline, setting), ...treatment, output: system }, work);
  const gold = path.join(setting.directory, UNSEEN.gold);
  const { evaluation } = await evaluateSystems({ gold, system, seed: setting.config.seed }, work);
  return evaluation;
}

function unseenWith(
  { bundle: pipeline, trust, registry }: Pipeline,
  { directory, embeddingsSource: embeddings, backend }: DemoSetting,
): Pick<DeidentificationJob, 'input' | 'setup' | 'grounds'> {
  return {
    input: path.join(directory, UNSEEN.text),
    setup: { trust, embeddings, pipeline, backend },
    grounds: { registry },
  };
}
