import path from 'node:path';
import { type AuditReport, audit } from '../../../models/attacks/audit.js';
import {
  continuedAdversary,
  freshTrainingAdversary,
} from '../../../models/attacks/learned/continued-adversary.js';
import { knownNoise } from '../../../models/attacks/likelihood/known-noise.js';
import { readPublicKey } from '../../../models/bundle/key-files.js';
import { openEncodingModel } from '../../institution/bundles/encoding-model.js';
import { auditHeading } from '../audit-heading.js';
import { writeAuditFiles } from '../audit-report-files.js';
import { auditTarget } from '../audit-target.js';
import type { PublishedRepresentation } from './provider.js';
import type { DemoSetting } from './setting.js';

/**
 * The auditor attacks the frozen bundle on unseen notes: by likelihood, with the noise known, and by
 * the paper's protocol, the adversary of training and fresh ones learning on. `tacet audit run` does
 * more.
 */
export async function attack(
  { bundle, digest, adversary }: PublishedRepresentation,
  setting: DemoSetting,
): Promise<{ report: AuditReport; file: string }> {
  const { parts, embeddings, publisher, directory, config, context } = setting;
  const { signal, progress } = context;
  const trustedKeys = [await readPublicKey(publisher.publicKeyFile)];
  const model = await openEncodingModel(bundle, { trustedKeys, embeddings });
  const {
    seed,
    neighbours,
    adversary: { units },
  } = config;
  const target = await auditTarget(model, parts.unseen, { seed, neighbours, signal, progress });
  const found = await audit(target, {
    seed,
    model: digest,
    attacks: [
      knownNoise(),
      continuedAdversary({ units, start: adversary, limits: config.audit }),
      freshTrainingAdversary({ units, task: 'T1', limits: config.audit }),
      freshTrainingAdversary({ units, task: 'T2', limits: config.audit }),
    ],
    signal,
    progress,
  });
  const heading = await auditHeading(bundle, trustedKeys, ['the demo’s unseen notes']);
  const report: AuditReport = { ...found, heading };
  const [, file] = await writeAuditFiles(path.join(directory, 'audit'), report);
  model.representation.dispose();
  return { report, file };
}
