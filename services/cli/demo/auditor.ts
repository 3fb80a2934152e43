import path from 'node:path';
import { type AuditReport, audit } from '../../../models/attacks/audit.js';
import { standardAttacks } from '../../../models/attacks/standard-attacks.js';
import { readPublicKey } from '../../../models/bundle/key-files.js';
import { openEncodingModel } from '../../encoder/encoding-model.js';
import { writeAuditFiles } from '../audit-report-files.js';
import { auditTarget } from '../audit-target.js';
import type { PublishedRepresentation } from './provider.js';
import type { DemoSetting } from './setting.js';

const AUDIT_MINUTES = 2;

/** The auditor goes on with the adversary of training against the frozen bundle, on unseen notes. */
export async function attack(
  { bundle, digest, adversary }: PublishedRepresentation,
  setting: DemoSetting,
): Promise<{ report: AuditReport; file: string }> {
  const { parts, embeddings, publisher, directory, config, context } = setting;
  const { signal, progress } = context;
  const trustedKeys = [await readPublicKey(publisher.publicKeyFile)];
  const model = await openEncodingModel(bundle, { trustedKeys, embeddings });
  const { seed, neighbours } = config;
  const target = await auditTarget(model, parts.unseen, { seed, neighbours, signal, progress });
  const report = await audit(target, {
    seed,
    model: digest,
    attacks: standardAttacks({
      adversary: { units: config.adversary.units, start: adversary },
      ...config.audit,
    }),
    minutes: AUDIT_MINUTES,
    signal,
    progress,
  });
  const [, file] = await writeAuditFiles(path.join(directory, 'audit'), report);
  model.representation.dispose();
  return { report, file };
}
