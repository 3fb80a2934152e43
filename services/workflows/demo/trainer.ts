import path from 'node:path';
import { createBundle } from '../../../models/bundle/bundle.js';
import { describeBundle } from '../../../models/bundle/describe.js';
import { readPrivateKey, readPublicKey } from '../../../models/bundle/key-files.js';
import { trainPooled } from '../../../models/training/pooled.js';
import { pooledStatement, validationLosses } from '../../../models/training/statement.js';
import { PATHS } from '../../../proto/paths.js';
import { pooledScores } from '../../../study/pooled-scores.js';
import { publish } from '../../client/publish.js';
import { SnapshotSource } from '../../client/snapshot-source.js';
import { openEncodingModel } from '../../institution/bundles/encoding-model.js';
import type { PublishedRepresentation } from './provider.js';
import { type DemoSetting, stageContext } from './setting.js';

export interface PublishedPipeline {
  readonly name: string;
  readonly version: string;
  readonly snapshot: string;
  readonly sentences: number;
}

/** The pool freezes what it holds into a snapshot; the provider trains on it, over HTTP. */
export async function trainOnPool(
  representation: PublishedRepresentation,
  setting: DemoSetting,
): Promise<PublishedPipeline> {
  const { servers, embeddings, embeddingsName, config, publisher, directory, narrator } = setting;
  const { signal } = setting.context;
  const pool = servers.pool('trainer');
  const filter = { model: representation.digest };
  const snapshot = await pool.json<{ id: string }>('POST', PATHS.snapshots, filter, { signal });
  const trustedKeys = [await readPublicKey(publisher.publicKeyFile)];
  const model = await openEncodingModel(representation.bundle, { trustedKeys, embeddings });
  const source = await SnapshotSource.open(pool, snapshot.id, config.seed, { signal });
  source.requireModel(model);
  const identity = { name: 'demo-pipeline', version: '1.0.0' };
  const record = { kind: 'pooled', snapshot: snapshot.id, model: model.digest, ...config };
  await source.register(identity.name, identity.version, record);
  const context = stageContext(setting, 'pooled');
  const pooled = await trainPooled(source, model.scheme, config, context);
  const { deidentifier, stage, validation } = pooled;
  const measured = await pooledScores(deidentifier, validation, model.scheme, { signal });
  const { sentenceCount: sentences } = source.snapshot;
  narrator.tell(
    `${sentences} sentences from ${setting.parts.institutions.length} institutions; best of ` +
      `${stage.epochs} epochs is ${stage.bestEpoch}.`,
  );
  const { fields, weights } = describeBundle(
    { representation: model.representation, deidentifier },
    {
      ...identity,
      scheme: model.scheme,
      embeddings,
      embeddingsName,
      training: pooledStatement({
        snapshot: snapshot.id,
        representation: representation.digest,
        language: model.language,
        sentences,
        seed: config.seed,
      }),
      scores: { ...measured, ...validationLosses({ pooled: stage }) },
    },
  );
  const bundle = path.join(directory, 'provider', 'pipeline');
  await createBundle(bundle, { fields, weights }, await readPrivateKey(publisher.privateKeyFile));
  await publish(bundle, servers.registry('provider'), setting.context);
  model.representation.dispose();
  deidentifier.dispose();
  return { ...identity, snapshot: snapshot.id, sentences };
}
