import path from 'node:path';
import type { Evaluation } from '../../../models/evaluation/evaluate.js';
import { writeCorpus } from '../../../models/text/corpus/write-corpus.js';
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

/**
 * An institution fetches the pipeline and de-identifies notes that nothing was trained on, from a
 * folder of text to a folder of annotations, which are then scored.
 */
export async function deidentifyUnseen(
  { name, version }: PublishedModel,
  setting: DemoSetting,
): Promise<Evaluation> {
  const { parts, servers, trust, directory, config, backend } = setting;
  const work = workOf(setting, 'de-identify');
  const { signal } = work;
  const holder = holderOf(parts.institutions[0]);
  const registry = servers.registry(holder);
  const pipeline = path.join(directory, holder, 'pipeline');
  await fetchModel(registry, { name, version }, pipeline, { ...trust, signal });
  const [text, gold] = [path.join(directory, UNSEEN.text), path.join(directory, UNSEEN.gold)];
  await writeCorpus(parts.unseen, text, 'text', { signal });
  await writeCorpus(parts.unseen, gold, 'brat', { signal });
  const job = {
    input: text,
    setup: { trust, embeddings: setting.embeddingsSource, pipeline, backend },
    grounds: { registry },
  };
  const system = path.join(directory, UNSEEN.system);
  const found: DeidentificationJob = {
    ...{ ...job, output: system, format: 'brat', treatment: 'annotate', patterns: false },
  };
  const clean: DeidentificationJob = {
    ...{ ...job, output: path.join(directory, UNSEEN.deidentified) },
    ...{ format: 'text', treatment: 'tag', patterns: true },
  };
  for (const each of [found, clean]) await deidentifyNotes(each, work);
  const { seed } = config;
  const { evaluation } = await evaluateSystems({ gold, system, seed }, work);
  return evaluation;
}
