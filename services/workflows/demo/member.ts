import path from 'node:path';
import { readPrivateKey, readPublicKey } from '../../../models/bundle/key-files.js';
import type { Evaluation } from '../../../models/evaluation/evaluate.js';
import { writeCorpus } from '../../../models/text/corpus/write-corpus.js';
import type { Document } from '../../../models/text/document.js';
import { createSignedBundle } from '../signed-bundle.js';
import { trainPooledRun } from '../train/pooled-run.js';
import { holderOf } from './institution.js';
import type { Institution } from './parts.js';
import { scoreUnseen } from './reader.js';
import { type DemoSetting, VERSION, workOf } from './setting.js';

/** The name of the token with which an institution reads the pool. */
export function readerOf(institution: Institution): string {
  return `${holderOf(institution)}-reader`;
}

/**
 * An institution trains one network on its own notes and the public ones, whose words it reads, and on what everybody
 * shared, and keeps it; scored on the unseen notes.
 */
export async function trainBesideOwn(
  institution: Institution,
  snapshot: string,
  setting: DemoSetting,
): Promise<Evaluation> {
  const { servers, embeddingsSource: embeddings, trust, directory, context, parts } = setting;
  const home = path.join(directory, holderOf(institution));
  const notesOf = async (name: string, documents: readonly Document[]) => {
    const file = path.join(home, `${name}.jsonl`);
    await writeCorpus(documents, file, 'jsonl', context);
    return file;
  };
  const own = [await notesOf('own-notes', institution.notes)];
  const learnedFrom = [await notesOf('public-notes', parts.provider)];
  const task = {
    ...{ pool: servers.pool(readerOf(institution)), snapshot, own, learnedFrom, trust, embeddings },
    ...{ model: path.join(home, 'representation'), config: setting.config, resume: false },
    ...{ directory: path.join(home, 'both-run'), name: 'own-pipeline', version: VERSION },
  };
  const { bundle } = await trainPooledRun(
    task,
    workOf(setting, `${institution.name} and the pool`),
  );
  const pipeline = path.join(home, 'own-pipeline');
  const keys = path.join(home, 'keys');
  await createSignedBundle(pipeline, bundle, {
    keys: [await readPrivateKey(path.join(keys, 'private.pem'))],
  });
  const itself = { trustedKeys: [await readPublicKey(path.join(keys, 'public.pem'))] };
  return scoreUnseen({ bundle: pipeline, trust: itself }, path.join(home, 'own-system'), setting);
}
