import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import { createBundle } from '../../../models/bundle/bundle.js';
import { readPrivateKey } from '../../../models/bundle/key-files.js';
import { type Manifest, parseManifestFields } from '../../../models/bundle/manifest.js';
import { readSafetensors } from '../../../models/bundle/safetensors.js';
import { peekManifest, verifyBundle } from '../../../models/bundle/verify.js';
import { TacetError } from '../../../proto/errors.js';
import { contextOf } from '../context.js';
import { readTrustedKeys } from '../credentials.js';

interface CreateOptions {
  readonly manifest: string;
  readonly weights: string;
  readonly key: string;
}

/** `tacet bundle`: frozen, signed models. */
export function bundleCommand(): Command {
  const bundle = new Command('bundle').description('make, verify and show model bundles');
  bundle
    .command('create <directory>')
    .description('write and sign a bundle')
    .requiredOption('--manifest <file>', 'JSON: the manifest without its digests and its time')
    .requiredOption('--weights <file>', 'safetensors, float32')
    .requiredOption('--key <file>', 'private key that signs')
    .action(create);
  bundle
    .command('verify <directory>')
    .description('check the signature and the digest of every file')
    .requiredOption('--trust <file...>', 'public keys of publishers you trust')
    .action(async (directory: string, { trust }: { trust: string[] }, command: Command) => {
      const { manifest, digest } = await verifyBundle(directory, {
        trustedKeys: await readTrustedKeys(trust),
      });
      contextOf(command).result({ verified: true, digest, manifest }, [
        `verified  ${manifest.name} ${manifest.version}`,
        `digest    ${digest}`,
      ]);
    });
  bundle
    .command('show <directory>')
    .description('show what a bundle says about itself; checks no signature')
    .action(async (directory: string, _options, command: Command) => {
      const manifest = await peekManifest(directory);
      contextOf(command).result({ verified: false, manifest }, describe(manifest));
    });
  return bundle;
}

async function create(
  directory: string,
  { manifest, weights, key }: CreateOptions,
  command: Command,
): Promise<void> {
  const fields = parseManifestFields(parseJson(manifest, await readInput(manifest)));
  const arrays = readSafetensors(await readInput(weights));
  const digest = await createBundle(directory, fields, arrays, await readPrivateKey(key));
  contextOf(command).result({ directory, digest }, [`bundle  ${directory}`, `digest  ${digest}`]);
}

async function readInput(file: string): Promise<Buffer> {
  return readFile(file).catch(() => {
    throw new TacetError('file-not-found', `${file}: no such file`);
  });
}

function parseJson(file: string, bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new TacetError('bundle-invalid', `${file}: expected JSON`);
  }
}

function describe(manifest: Manifest): string[] {
  const { name, version, kind, created, labelScheme, embeddings, noise, scores } = manifest;
  return [
    `${name} ${version} (${kind}), made ${created}; the signature was not checked`,
    `labels      ${labelScheme.name} ${labelScheme.version}, ${labelScheme.labels.length} labels`,
    `embeddings  ${embeddings.name}, ${embeddings.dimension} dimensions, ${embeddings.identity}`,
    `noise       standard deviation in ${noise.inputStddev.mean.toPrecision(3)}, ` +
      `out ${noise.outputStddev.mean.toPrecision(3)} (means)`,
    ...Object.entries(scores).map(([score, value]) => `${score}  ${value}`),
    ...Object.keys(manifest.files).map((file) => `file        ${file}`),
  ];
}
