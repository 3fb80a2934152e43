import path from 'node:path';
import { readPublicKey } from '../../../models/bundle/key-files.js';
import { type Evaluation, evaluate } from '../../../models/evaluation/evaluate.js';
import { readCorpus } from '../../../models/text/corpus/read-corpus.js';
import { writeCorpus } from '../../../models/text/corpus/write-corpus.js';
import type { Document } from '../../../models/text/document.js';
import { TacetError } from '../../../proto/errors.js';
import { fetchModel } from '../../client/fetch-model.js';
import { openTaggingModel } from '../../institution/bundles/tagging-model.js';
import { deidentify } from '../../institution/deidentify/deidentify.js';
import { holderOf } from './institution.js';
import type { DemoSetting } from './setting.js';
import type { PublishedPipeline } from './trainer.js';

/**
 * An institution fetches the pipeline and de-identifies notes that nothing was trained on, from a
 * folder of text to a folder of annotations, which are then scored.
 */
export async function deidentifyUnseen(
  { name, version }: PublishedPipeline,
  setting: DemoSetting,
): Promise<Evaluation> {
  const { parts, servers, embeddings, publisher, directory, config, context } = setting;
  const { signal, progress } = context;
  const holder = holderOf(parts.institutions[0]);
  const trustedKeys = [await readPublicKey(publisher.publicKeyFile)];
  const bundle = path.join(directory, holder, 'pipeline');
  await fetchModel(servers.registry(holder), { name, version }, bundle, { trustedKeys, signal });
  const tagger = await openTaggingModel(bundle, { trustedKeys, embeddings });
  const folders = {
    text: path.join(directory, 'unseen', 'text'),
    gold: path.join(directory, 'unseen', 'gold'),
    system: path.join(directory, 'unseen', 'system'),
    deidentified: path.join(directory, 'unseen', 'deidentified'),
  };
  await writeCorpus(parts.unseen, folders.text, 'text', { signal });
  await writeCorpus(parts.unseen, folders.gold, 'brat', { signal });
  const found: Document[] = [];
  const replaced: Document[] = [];
  for await (const document of readCorpus(folders.text, { format: 'text', signal })) {
    found.push(await deidentify(document, tagger, { policy: 'annotate', patterns: false, signal }));
    replaced.push(await deidentify(document, tagger, { policy: 'tag', signal }));
    progress({
      step: 'de-identify',
      done: found.length,
      total: parts.unseen.length,
      unit: 'notes',
    });
  }
  await writeCorpus(found, folders.system, 'brat', { signal });
  await writeCorpus(replaced, folders.deidentified, 'text', { signal });
  const systemById = new Map(found.map((document) => [document.id, document]));
  const pairs = parts.unseen.map((gold) => {
    const system = systemById.get(gold.id);
    if (!system)
      throw new TacetError('internal', `no annotations of document ${gold.id} came back`);
    return { gold, system };
  });
  tagger.deidentifier.dispose();
  tagger.representation?.dispose();
  return evaluate(pairs, { seed: config.seed });
}
