import type { VNode } from 'preact';
import type { Manifest } from '../../../models/bundle/manifest.js';
import { Command } from '../../../platform/pages/command.js';
import { commandLine } from '../../../platform/shell-words.js';
import type { Model } from '../../../pool-store/models/models.js';

interface ModelCommandsProps {
  readonly model: Pick<Model, 'name' | 'version'>;
  readonly manifest: Manifest;
  /** Of this registry, as the reader's browser calls it. */
  readonly address: string;
}

/** How to fetch, verify and use a model, ready to be copied into a terminal. */
export function ModelCommands({ model, manifest, address }: ModelCommandsProps): VNode {
  const folder = `${model.name}-${model.version}`;
  const trust = ['--trust', 'publisher.pem'];
  const registry = ['--registry', address, '--token-file', 'our.token'];
  const vectors = ['--embeddings', vectorsOf(manifest)];
  const policy = ['--policy', 'policy.json', ...vectors, '--new-home', 'tacet-home'];
  return (
    <>
      <p>
        <code>publisher.pem</code> is the publisher’s public key: take it from the publisher, and
        not from here. <code>our.token</code> holds your token.
      </p>
      <h3>Fetch it, and check every file of it</h3>
      <Line
        of={[['tacet', 'model', 'fetch', model.name, model.version, folder, ...trust], registry]}
      />
      <Line of={[['tacet', 'bundle', 'verify', folder, ...trust]]} />
      <Line of={[['tacet', 'bundle', 'show', folder]]} />
      {manifest.kind === 'representation' ? (
        <>
          <h3>See whether all is in order, then what would leave</h3>
          <Line of={[['tacet', 'preflight', '--model', folder, ...policy], registry]} />
          <Line
            of={[
              ['tacet', 'encode', 'notes', '--model', folder, ...policy],
              [...registry, '--dry-run'],
            ]}
          />
          <h3>Attack it with notes of your own, as an auditor</h3>
          <Line
            of={[
              ['tacet', 'audit', 'run', '--model', folder, ...trust],
              [...vectors, '--corpus', 'held-out', '--out', 'audit'],
            ]}
          />
          <Line
            of={[
              ['tacet', 'audit', 'publish', 'audit', model.name, model.version],
              [...registry, '--key', 'private.pem'],
            ]}
          />
        </>
      ) : (
        <>
          <h3>Find PHI with it</h3>
          <Line
            of={[
              ['tacet', 'deidentify', 'notes', 'clean', '--model', folder],
              [...trust, ...vectors],
            ]}
          />
        </>
      )}
    </>
  );
}

/** One command, its parts under each other. */
function Line({ of: parts }: { readonly of: readonly (readonly string[])[] }): VNode {
  return <Command>{parts.map((words) => commandLine(...words)).join(' \\\n  ')}</Command>;
}

/** What the publisher called the file of word vectors, where that is a plain name of a file. */
function vectorsOf({ embeddings: { name: stated } }: Manifest): string {
  return /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(stated) ? stated : 'embeddings.bin';
}
