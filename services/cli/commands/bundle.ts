import { Command } from 'commander';
import { countersignBundle } from '../../../models/bundle/countersign.js';
import { readDistinctPublicKeys, readPrivateKey } from '../../../models/bundle/key-files.js';
import { peekBundle, type Trust, verifyBundle } from '../../../models/bundle/verify.js';
import { createSignedBundle } from '../../workflows/signed-bundle.js';
import { describeManifest } from '../bundle-description.js';
import { contextOf } from '../context.js';
import { readTrustedKeys } from '../credentials.js';

interface CreateOptions {
  readonly manifest: string;
  readonly weights: string;
  readonly inventory?: string;
  readonly metrics?: string;
  readonly key: readonly string[];
}

interface TrustOptions {
  readonly trust: readonly string[];
  readonly all?: boolean;
}

/** `tacet bundle`: frozen, signed models. */
export function bundleCommand(): Command {
  const bundle = new Command('bundle').description('make, sign, verify and show model bundles');
  bundle
    .command('create <directory>')
    .description('write and sign a bundle')
    .requiredOption('--manifest <file>', 'JSON: the manifest without its digests and its time')
    .requiredOption('--weights <file>', 'safetensors, float32')
    .option('--inventory <file>', 'public entities that stand for those of notes, by type')
    .option(
      '--metrics <file>',
      'metrics.jsonl of the run: how the training went, for readers of the bundle',
    )
    .requiredOption('--key <file...>', 'private keys that sign')
    .action(create);
  withTrust(bundle.command('sign <directory>'))
    .description('add a signature, for example of the institution that checked the bundle')
    .requiredOption('--key <file>', 'private key that signs')
    .action(sign);
  withTrust(bundle.command('verify <directory>'))
    .description('check the signatures and the digest of every file')
    .action(verify);
  bundle
    .command('show <directory>')
    .description('show what a bundle says about itself; checks no signature')
    .action(async (directory: string, _options, command: Command) => {
      const { manifest, signers } = await peekBundle(directory);
      contextOf(command).result({ verified: false, manifest, signers }, [
        ...describeManifest(manifest),
        '',
        `signed by ${signers.length > 0 ? signers.join(', ') : 'nobody'}; ` +
          'nothing was checked: tacet bundle verify does that',
      ]);
    });
  return bundle;
}

function withTrust(command: Command): Command {
  return command
    .requiredOption('--trust <file...>', 'public keys that you trust; one of them must have signed')
    .option('--all', 'each of the trusted keys must have signed');
}

async function create(
  directory: string,
  { key, ...files }: CreateOptions,
  command: Command,
): Promise<void> {
  const keys = await Promise.all(key.map(readPrivateKey));
  const digest = await createSignedBundle(directory, files, keys);
  contextOf(command).result({ directory, digest }, [`bundle  ${directory}`, `digest  ${digest}`]);
}

async function sign(
  directory: string,
  { key, ...options }: TrustOptions & { key: string },
  command: Command,
): Promise<void> {
  const signers = await countersignBundle(
    directory,
    await readPrivateKey(key),
    await trustOf(options),
  );
  contextOf(command).result({ directory, signers }, `signed by ${signers.join(', ')}`);
}

async function verify(directory: string, options: TrustOptions, command: Command): Promise<void> {
  const { manifest, digest, keyIds } = await verifyBundle(directory, await trustOf(options));
  contextOf(command).result({ verified: true, digest, signers: keyIds, manifest }, [
    `verified  ${manifest.name} ${manifest.version}`,
    `digest    ${digest}`,
    ...keyIds.map((keyId) => `signed by ${keyId}`),
  ]);
}

async function trustOf({ trust, all }: TrustOptions): Promise<Trust> {
  if (all) return { trustedKeys: await readDistinctPublicKeys(trust), signedBy: 'all' };
  return { trustedKeys: await readTrustedKeys(trust), signedBy: 'any' };
}
