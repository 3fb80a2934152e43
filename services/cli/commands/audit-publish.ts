import { Command } from 'commander';
import { readAudit } from '../../../models/attacks/report/audit-file.js';
import { readPrivateKey } from '../../../models/bundle/key-files.js';
import { keyIdOf } from '../../../proto/dsse.js';
import { TacetError } from '../../../proto/errors.js';
import { publishAudit } from '../../client/published-audits.js';
import { readAuditFile } from '../../workflows/audit/audit-report-files.js';
import { explainingApproval } from '../approval.js';
import { contextOf } from '../context.js';
import { clientFor, type TokenOptions, withTokenOptions } from '../credentials.js';

interface Options extends TokenOptions {
  readonly registry: string;
  readonly key: string;
}

/** `tacet audit publish`: an auditor's signed report, attached to the bundle that it attacked. */
export function auditPublishCommand(): Command {
  return withTokenOptions(
    new Command('publish')
      .description('sign an audit and attach it to the model in a registry')
      .argument('<directory>', 'what `tacet audit run` wrote')
      .argument('<name>', 'name of the model')
      .argument('<version>', 'version or alias')
      .requiredOption('--registry <url>', 'address of the registry')
      .requiredOption('--key <file>', 'your private key; the registry knows its public half'),
  ).action(publish);
}

async function publish(
  directory: string,
  name: string,
  version: string,
  options: Options,
  self: Command,
): Promise<void> {
  const { signal, result } = contextOf(self);
  const payload = await readAuditFile(directory);
  const { attacked, verdict } = readAudit(payload);
  if (attacked !== 'bundle')
    throw new TacetError(
      'audit-invalid',
      `${directory}: an audit of the ${attacked}, not of the bundle`,
    );
  const key = await readPrivateKey(options.key);
  const registry = await clientFor(options.registry, options);
  const { id } = await explainingApproval(
    () => publishAudit(registry, { name, version }, payload, key, { signal }),
    async () => ({
      ...{ keyId: keyIdOf(key), privateKeyFile: options.key, server: options.registry },
      ...{ client: registry, tokenFile: options.tokenFile },
    }),
  );
  result({ id, verdict }, `attached audit ${id} to ${name} ${version}`);
}
