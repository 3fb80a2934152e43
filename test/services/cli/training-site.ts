import { readFile, writeFile } from 'node:fs/promises';
import { createKeyFiles, readPublicKey } from '../../../models/bundle/key-files.js';
import type { Identities } from '../../../pool-store/members/identities.js';
import { rawPublicKey } from '../../../proto/ed25519-key.js';
import { sha256, type World } from '../made-world.js';
import { capturedRun } from './captured-run.js';

/** Where a registry and a pool answer, and who may ask them. */
export interface Asked {
  readonly addresses: {
    readonly registry?: string | undefined;
    readonly pool?: string | undefined;
  };
  readonly tokens: World['tokens'];
}

/**
 * A model that is published, a release of its notes that is contributed, and a snapshot of that to train on, made by the
 * commands in a folder that has a small corpus.
 */
export class TrainingSite {
  /** The id of the snapshot. */
  snapshot = '';
  /** SHA-256 of the weights of an uninterrupted `train pooled` of the configuration of the jobs. */
  weights = '';

  private constructor(
    readonly at: (name: string) => string,
    private readonly asked: Asked,
  ) {}

  /** `jobs` is the configuration in `job.json`, `representation` that of the model where it is not `config.json`. */
  static async made(
    at: (name: string) => string,
    asked: Asked,
    {
      identities,
      jobs,
      representation,
    }: {
      readonly identities: Identities;
      readonly jobs: object;
      readonly representation?: object;
    },
  ): Promise<TrainingSite> {
    const site = new TrainingSite(at, asked);
    for (const [name, keys] of [
      ['provider', 'keys'],
      ['institution', 'own-keys'],
    ] as const) {
      const { publicKeyFile } = await createKeyFiles(at(keys));
      const raw = rawPublicKey(await readPublicKey(publicKeyFile));
      await identities.approve((await identities.request(name, raw)).keyId);
    }
    await writeFile(at('provider.token'), asked.tokens.provider, { mode: 0o600 });
    await writeFile(at('job.json'), JSON.stringify(jobs));
    if (representation) await writeFile(at('config.json'), JSON.stringify(representation));
    await site.#publish();
    await site.#contribute();
    return site;
  }

  get trust(): string[] {
    return ['--trust', this.at('keys/public.pem')];
  }

  get embeddings(): string[] {
    return ['--embeddings', this.at('words.vec')];
  }

  as(role: keyof World['tokens']): string[] {
    return ['--token', this.asked.tokens[role]];
  }

  get pool(): string[] {
    return ['--pool', this.asked.addresses.pool ?? ''];
  }

  get registry(): string[] {
    return ['--registry', this.asked.addresses.registry ?? ''];
  }

  /** Of a worker that has the model, in a folder of its own. */
  workerArguments(folder: string): string[] {
    const model = ['--model', this.at('model'), ...this.trust, ...this.embeddings];
    return [...this.pool, ...model, '--out', this.at(folder), '--poll', '1'];
  }

  /** Lets such a worker publish what it trained under these names. */
  publishAs(...names: string[]): string[] {
    const key = ['--key', this.at('keys/private.pem')];
    const registry = [...this.registry, '--registry-token-file', this.at('provider.token')];
    return [...registry, ...key, '--publish-as', ...names];
  }

  async #publish(): Promise<void> {
    const { at } = this;
    await succeeded(
      ...['train', 'certified', at('notes'), ...this.embeddings, '--scheme', 'synthetic'],
      ...['--language', 'en', '--config', at('config.json'), '--out', at('certified')],
    );
    await succeeded(
      ...['bundle', 'create', at('model'), '--manifest', at('certified/manifest.json')],
      ...['--weights', at('certified/weights.safetensors'), '--key', at('keys/private.pem')],
      ...['--inventory', at('certified/inventory.json')],
    );
    await succeeded('publish', at('model'), ...this.registry, ...this.as('provider'));
  }

  async #contribute(): Promise<void> {
    const { at, pool, trust, embeddings } = this;
    await succeeded(
      ...['encode', at('notes'), '--model', at('model'), ...trust, ...embeddings],
      ...['--new-home', at('home')],
    );
    const sign = ['--home', at('home'), '--key', at('own-keys/private.pem')];
    await succeeded('contribute', ...sign, ...pool, ...this.as('institution'));
    const frozen = await succeeded('--json', 'snapshot', 'create', ...pool, ...this.as('consumer'));
    this.snapshot = JSON.parse(frozen).id;
    await succeeded(
      ...['train', 'pooled', '--snapshot', this.snapshot, ...pool, ...this.as('admin'), ...trust],
      ...['--model', at('model'), ...embeddings, '--config', at('job.json'), '--out', at('whole')],
    );
    this.weights = sha256(await readFile(at('whole/weights.safetensors')));
  }
}

/** The standard output of a command that has to succeed. */
export async function succeeded(...args: readonly string[]): Promise<string> {
  const { exit, stdout, stderr } = await capturedRun(...args);
  if (exit !== 0) throw new Error(`tacet ${args[0]} ended with ${exit}: ${stderr}`);
  return stdout;
}
