import path from 'node:path';
import { Command } from 'commander';
import type { ServiceClient } from '../../client/client.js';
import { listIdentities } from '../../client/identity.js';
import { fetchAudits } from '../../client/published-audits.js';
import { type ModelReference, registeredModel } from '../../client/registered-model.js';
import { openAuditJudge, policyOutcome } from '../../workflows/audit/audit-policy.js';
import { writeAuditFiles } from '../../workflows/audit/audit-report-files.js';
import { auditSummary } from '../../workflows/audit/audit-summary.js';
import { contextOf } from '../context.js';
import { clientFor, readTrustedKeys, type TokenOptions, withTokenOptions } from '../credentials.js';

interface Options extends TokenOptions {
  readonly registry: string;
  readonly trust: readonly string[];
  readonly policy?: string;
  readonly out?: string;
}

/** `tacet audit show`: what auditors that you trust found out about a published model. */
export function auditShowCommand(): Command {
  return withTokenOptions(
    new Command('show')
      .description('show the audits of a published model; signatures are verified')
      .argument('<name>', 'name of the model')
      .argument('<version>', 'version or alias')
      .requiredOption('--registry <url>', 'address of the registry')
      .requiredOption('--trust <file...>', 'public keys of auditors you trust')
      .option('--policy <file>', 'say of each whether an institution with this policy accepts it')
      .option('--out <dir>', 'write each as JSON and as a page'),
  ).action(show);
}

async function show(name: string, version: string, options: Options, self: Command): Promise<void> {
  const { signal, say, result } = contextOf(self);
  const registry = await clientFor(options.registry, options);
  const trustedKeys = await readTrustedKeys(options.trust);
  const judge = await openAuditJudge(options.policy);
  const model = { name, version };
  const { digest, audits, untrusted } = await fetchAudits(registry, model, trustedKeys, { signal });
  if (untrusted > 0)
    say(`${untrusted} signatures of audits are by keys that you do not trust: not shown`);
  const { publisher, names } = await namesAt(registry, model, signal);
  const lines: string[] = [];
  const shown: object[] = [];
  for (const audit of audits) {
    const { id, keyIds, attached, report } = audit;
    const auditors = keyIds.map((keyId) => ({ keyId, name: names.get(keyId) }));
    const policy = policyOutcome(judge, report, keyIds);
    const signature = { auditors, attached, registry: options.registry };
    const standing = { signature, publisher, policy };
    const signers = auditors.map(({ keyId, name }) => (name ? `${keyId} of ${name}` : keyId));
    lines.push(
      `audit ${id} of bundle ${digest}`,
      `signed by ${signers.join(' and ')}, attached ${attached}`,
      ...auditSummary(report, standing),
    );
    shown.push({ ...audit, auditors, ...(policy && { policy }) });
    if (options.out === undefined) continue;
    const files = await writeAuditFiles(path.join(options.out, id), report, standing);
    lines.push(...files);
  }
  result(shown, lines.length > 0 ? lines : `no trusted audit of ${name} ${version}`);
}

/** Who published the model and whose the keys are, as far as the registry is to be believed. */
async function namesAt(
  registry: ServiceClient,
  model: ModelReference,
  signal: AbortSignal,
): Promise<{ publisher: string; names: ReadonlyMap<string, string> }> {
  const { publisher } = await registeredModel(registry, model, { signal });
  const identities = await listIdentities(registry, { signal });
  return { publisher, names: new Map(identities.map((each) => [each.keyId, each.name])) };
}
