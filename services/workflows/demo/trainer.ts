import path from 'node:path';
import { PATHS } from '../../../proto/paths.js';
import { trainPooledRun } from '../train/pooled-run.js';
import { type PublishedModel, type PublishedRepresentation, publishSigned } from './provider.js';
import { type DemoSetting, VERSION, workOf } from './setting.js';

/** Freezes what the pool holds into a snapshot; returns its id. */
export async function freezeSnapshot(
  { digest }: PublishedRepresentation,
  { servers, context: { signal } }: DemoSetting,
): Promise<string> {
  const pool = servers.pool('trainer');
  const filter = { model: digest };
  const { id } = await pool.json<{ id: string }>('POST', PATHS.snapshots, filter, { signal });
  return id;
}

/** The provider trains on a snapshot, over HTTP. */
export async function trainOnPool(
  snapshot: string,
  representation: PublishedRepresentation,
  setting: DemoSetting,
): Promise<PublishedModel> {
  const { servers, embeddingsSource, config, trust, directory, narrator } = setting;
  const name = 'demo-pipeline';
  const task = {
    ...{ pool: servers.pool('trainer'), snapshot, model: representation.bundle, trust },
    ...{ embeddings: embeddingsSource, config, name, version: VERSION, resume: false },
    directory: path.join(directory, 'provider', 'pooled-run'),
  };
  const { stage, sentences, bundle } = await trainPooledRun(task, workOf(setting, 'pooled'));
  narrator.tell(
    `${sentences} sentences from ${setting.parts.institutions.length} institutions; best of ` +
      `${stage.epochs} epochs is ${stage.bestEpoch}.`,
  );
  return publishSigned(bundle, name, setting);
}
