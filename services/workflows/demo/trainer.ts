import path from 'node:path';
import { PATHS } from '../../../proto/paths.js';
import { trainPooledRun } from '../train/pooled-run.js';
import { type PublishedModel, type PublishedRepresentation, publishSigned } from './provider.js';
import { type DemoSetting, VERSION, workOf } from './setting.js';

/** The pool freezes what it holds into a snapshot; the provider trains on it, over HTTP. */
export async function trainOnPool(
  representation: PublishedRepresentation,
  setting: DemoSetting,
): Promise<PublishedModel> {
  const { servers, embeddingsSource, config, trust, directory, narrator, context } = setting;
  const { signal } = context;
  const pool = servers.pool('trainer');
  const filter = { model: representation.digest };
  const { id } = await pool.json<{ id: string }>('POST', PATHS.snapshots, filter, { signal });
  const name = 'demo-pipeline';
  const task = {
    ...{ pool, snapshot: id, model: representation.bundle, trust, embeddings: embeddingsSource },
    ...{ config, name, version: VERSION, resume: false },
    directory: path.join(directory, 'provider', 'pooled-run'),
  };
  const { stage, sentences, bundle } = await trainPooledRun(task, workOf(setting, 'pooled'));
  narrator.tell(
    `${sentences} sentences from ${setting.parts.institutions.length} institutions; best of ` +
      `${stage.epochs} epochs is ${stage.bestEpoch}.`,
  );
  return publishSigned(bundle, name, setting);
}
