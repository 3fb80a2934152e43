import path from 'node:path';
import { readPrivateKey } from '../../../models/bundle/key-files.js';
import { stageLines } from '../../../models/training/statement.js';
import { publish } from '../../client/publish.js';
import { createSignedBundle } from '../signed-bundle.js';
import { trainRun } from '../train/training-run.js';
import type { UnsignedBundle } from '../train/unsigned-bundle.js';
import { type DemoSetting, trainingTask, VERSION, workOf } from './setting.js';

export interface PublishedModel {
  /** The bundle's directory at the provider. */
  readonly bundle: string;
  readonly name: string;
  readonly version: string;
  readonly digest: string;
}

export interface PublishedRepresentation extends PublishedModel {
  /** The training run, where the audit goes on from its adversary. */
  readonly run: string;
}

/** The provider trains on public notes, freezes, signs and publishes. */
export async function provideRepresentation(
  setting: DemoSetting,
): Promise<PublishedRepresentation> {
  const { parts, directory, objective, narrator } = setting;
  const run = path.join(directory, 'provider', 'run');
  const name = 'demo-representation';
  const task = trainingTask(setting, objective, parts.provider, { directory: run, name });
  const { stages, bundles } = await trainRun(task, workOf(setting, 'representation'));
  narrator.tell(`${stageLines(stages).join('; ')}.`);
  // Of a private objective the representation comes first.
  return { ...(await publishSigned(bundles[0], name, setting)), run };
}

/** Signs what a training left with the provider's key, and publishes it. */
export async function publishSigned(
  unsigned: UnsignedBundle,
  name: string,
  { directory, publisher, servers, context }: DemoSetting,
): Promise<PublishedModel> {
  const bundle = path.join(directory, 'provider', unsigned.kind);
  const key = await readPrivateKey(publisher.privateKeyFile);
  const digest = await createSignedBundle(bundle, unsigned, { keys: [key] });
  await publish(bundle, servers.registry('provider'), context);
  return { bundle, name, version: VERSION, digest };
}
