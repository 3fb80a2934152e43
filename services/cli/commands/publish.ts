import { Command } from 'commander';
import { peekBundle } from '../../../models/bundle/verify.js';
import { publish } from '../../client/publish.js';
import { explainingApproval } from '../approval.js';
import { contextOf } from '../context.js';
import { clientFor, type TokenOptions, withTokenOptions } from '../credentials.js';

/** `tacet publish`: a signed bundle to a registry. */
export function publishCommand(): Command {
  return withTokenOptions(
    new Command('publish')
      .description('publish a signed bundle in a registry')
      .argument('<bundle>', 'bundle directory')
      .requiredOption('--registry <url>', 'address of the registry'),
  ).action(
    async (bundle: string, options: TokenOptions & { registry: string }, command: Command) => {
      const { signal, progress, result } = contextOf(command);
      const registry = await clientFor(options.registry, options);
      const model = await explainingApproval(
        () => publish(bundle, registry, { signal, progress }),
        async () => ({
          keyId: (await peekBundle(bundle)).signers[0],
          ...{ server: options.registry, client: registry, tokenFile: options.tokenFile },
        }),
      );
      result(model, `published ${model.name} ${model.version}, digest ${model.digest}`);
    },
  );
}
