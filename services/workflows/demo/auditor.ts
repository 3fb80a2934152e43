import path from 'node:path';
import {
  continuedAdversary,
  freshTrainingAdversary,
} from '../../../models/attacks/learned/continued-adversary.js';
import { knownNoise } from '../../../models/attacks/likelihood/known-noise.js';
import { createKeyFiles, readPrivateKey } from '../../../models/bundle/key-files.js';
import { publishAudit } from '../../client/published-audits.js';
import { readAuditFile } from '../audit/audit-report-files.js';
import { type FinishedAudit, runAudit } from '../audit/audit-run.js';
import type { TrainingAdversary } from '../audit/training-adversary.js';
import type { PublishedRepresentation } from './provider.js';
import { UNSEEN } from './reader.js';
import { type DemoSetting, workOf } from './setting.js';

/**
 * The auditor attacks the frozen bundle on unseen notes, by likelihood, with the noise known, and by
 * the paper's protocol, the adversary of training and fresh ones learning on; then signs what came of it and
 * attaches that to the model in the registry. `tacet audit run` does more.
 */
export async function attackRepresentation(
  { bundle, run, name, version }: PublishedRepresentation,
  setting: DemoSetting,
): Promise<FinishedAudit> {
  const { embeddingsSource, trust, directory, config, servers } = setting;
  const { seed, neighbours, audit: limits } = config;
  const request = {
    ...{ model: bundle, trustedKeys: trust.trustedKeys, embeddings: embeddingsSource, run },
    ...{ corpus: [path.join(directory, UNSEEN.gold)], corpusName: 'the demo’s unseen notes' },
    ...{ seed, neighbours, out: path.join(directory, 'audit') },
    attacksWith: ({ units, start, learningRate }: TrainingAdversary) => [
      knownNoise(),
      start
        ? continuedAdversary({ units, start, limits: { ...limits, learningRate } })
        : freshTrainingAdversary({ units, limits }),
      freshTrainingAdversary({ units, task: 'T1', limits }),
      freshTrainingAdversary({ units, task: 'T2', limits }),
    ],
  };
  const work = workOf(setting, 'audit');
  const finished = await runAudit(request, work);
  const keys = await createKeyFiles(path.join(directory, 'auditor', 'keys'));
  await servers.enrol('auditor', keys.publicKeyFile);
  const key = await readPrivateKey(keys.privateKeyFile);
  const payload = await readAuditFile(request.out);
  await publishAudit(servers.registry('auditor'), { name, version }, payload, key, work);
  return finished;
}
