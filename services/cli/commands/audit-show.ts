import path from 'node:path';
import { Command } from 'commander';
import { fetchAudits } from '../../registry/published-audits.js';
import { writeAuditFiles } from '../audit-report-files.js';
import { auditSummary } from '../audit-summary.js';
import { contextOf } from '../context.js';
import { clientFor, readTrustedKeys, type TokenOptions, withTokenOptions } from '../credentials.js';

interface Options extends TokenOptions {
  readonly registry: string;
  readonly trust: readonly string[];
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
      .option('--out <dir>', 'write each as JSON and as a page'),
  ).action(show);
}

async function show(name: string, version: string, options: Options, self: Command): Promise<void> {
  const { signal, say, result } = contextOf(self);
  const registry = await clientFor(options.registry, options);
  const trustedKeys = await readTrustedKeys(options.trust);
  const model = { name, version };
  const { digest, audits, untrusted } = await fetchAudits(registry, model, trustedKeys, { signal });
  if (untrusted > 0)
    say(`${untrusted} signatures of audits are by keys that you do not trust: not shown`);
  const lines: string[] = [];
  for (const { id, keyIds, attached, report } of audits) {
    lines.push(
      `audit ${id} of bundle ${digest}`,
      `signed by ${keyIds.join(' and ')}, attached ${attached}`,
    );
    lines.push(...auditSummary(report));
    if (options.out === undefined) continue;
    const files = await writeAuditFiles(path.join(options.out, id), report);
    lines.push(...files);
  }
  result(audits, lines.length > 0 ? lines : `no trusted audit of ${name} ${version}`);
}
