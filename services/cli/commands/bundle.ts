import { Command } from 'commander';
import { bundleBill } from '../../../models/bundle/bundle-bill.js';
import { countersignBundle, signModel } from '../../../models/bundle/countersign.js';
import { readEcPrivateKey, readEcPublicKey } from '../../../models/bundle/ec-key-files.js';
import { readDistinctPublicKeys, readPrivateKey } from '../../../models/bundle/key-files.js';
import { peekBundle, type Trust, verifyBundle } from '../../../models/bundle/verify.js';
import { TacetError } from '../../../proto/errors.js';
import { createSignedBundle } from '../../workflows/signed-bundle.js';
import { describeManifest } from '../bundle-description.js';
import { contextOf } from '../context.js';
import { readTrustedKeys } from '../credentials.js';
import { sourceDate } from '../source-date.js';

interface CreateOptions {
  readonly manifest: string;
  readonly weights: string;
  readonly inventory?: string;
  readonly metrics?: string;
  readonly key: readonly string[];
  readonly modelKey?: string;
}

interface TrustOptions {
  readonly trust: readonly string[];
  readonly all?: boolean;
  readonly modelTrust?: string;
}

const MODEL_KEY = 'private ECDSA key that signs model.sig, for tools of OpenSSF model signing';

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
    .option('--model-key <file>', MODEL_KEY)
    .action(create);
  withTrust(bundle.command('sign <directory>'))
    .description('add a signature, for example of the institution that checked the bundle')
    .option('--key <file>', 'private key that signs')
    .option('--model-key <file>', MODEL_KEY)
    .action(sign);
  withTrust(bundle.command('verify <directory>'))
    .description('check the signatures and the digest of every file')
    .option('--model-trust <file>', 'public ECDSA key by which model.sig must be')
    .action(verify);
  withTrust(bundle.command('sbom <directory>'))
    .description(
      'what the model is made of, as a CycloneDX bill of materials, once it was verified',
    )
    .action(async (directory: string, options: TrustOptions, command: Command) => {
      const bill = bundleBill(await verifyBundle(directory, await trustOf(options)));
      contextOf(command).result(bill, JSON.stringify(bill, null, 2));
    });
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
  { key, modelKey, ...files }: CreateOptions,
  command: Command,
): Promise<void> {
  const keys = await Promise.all(key.map(readPrivateKey));
  const digest = await createSignedBundle(directory, files, {
    keys,
    modelKey: modelKey === undefined ? undefined : await readEcPrivateKey(modelKey),
    created: sourceDate(process.env),
  });
  contextOf(command).result({ directory, digest }, [`bundle  ${directory}`, `digest  ${digest}`]);
}

async function sign(
  directory: string,
  { key, modelKey, ...options }: TrustOptions & { key?: string; modelKey?: string },
  command: Command,
): Promise<void> {
  if (key === undefined && modelKey === undefined)
    throw new TacetError('usage', 'give --key, --model-key, or both');
  const trust = await trustOf(options);
  const ours = key === undefined ? undefined : await readPrivateKey(key);
  if (modelKey !== undefined) await signModel(directory, await readEcPrivateKey(modelKey), trust);
  const signers = ours
    ? await countersignBundle(directory, ours, trust)
    : (await verifyBundle(directory, trust)).keyIds;
  contextOf(command).result({ directory, signers }, `signed by ${signers.join(', ')}`);
}

async function verify(directory: string, options: TrustOptions, command: Command): Promise<void> {
  const { manifest, digest, keyIds } = await verifyBundle(directory, await trustOf(options));
  contextOf(command).result({ verified: true, digest, signers: keyIds, manifest }, [
    `verified  ${manifest.name} ${manifest.version}`,
    `digest    ${digest}`,
    ...keyIds.map((keyId) => `signed by ${keyId}`),
    ...(options.modelTrust === undefined ? [] : ['model.sig by the key that is trusted with it']),
  ]);
}

async function trustOf({ trust, all, modelTrust }: TrustOptions): Promise<Trust> {
  const modelKey = modelTrust === undefined ? undefined : await readEcPublicKey(modelTrust);
  if (all) return { trustedKeys: await readDistinctPublicKeys(trust), signedBy: 'all', modelKey };
  return { trustedKeys: await readTrustedKeys(trust), signedBy: 'any', modelKey };
}
