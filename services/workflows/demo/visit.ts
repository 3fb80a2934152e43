import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ChildServer } from './child-server.js';
import { holderOf } from './institution.js';
import { UNSEEN } from './reader.js';
import type { DemoSetting } from './setting.js';

/**
 * Leaves the demo's registry and pool running, starts the encoder of its first institution beside them, and
 * says where their pages are and how to log in, until a signal.
 */
export async function letVisit(setting: DemoSetting): Promise<void> {
  const { servers, context, parts } = setting;
  const encoder = await ChildServer.start(await encoderArguments(setting));
  try {
    const { encoder: url } = encoder.addresses as { encoder: string };
    const lines = [
      '',
      'Pages to click through, until Ctrl-C:',
      `  registry  ${servers.addresses.registry}`,
      `  pool      ${servers.addresses.pool}`,
      `  encoder   ${url}  (${parts.institutions[0].name}’s, for this machine alone: no token)`,
      '',
      'To log in to the first two, a token of whom you want to be; they are worth nothing elsewhere:',
      ...[...servers.tokens].map(([holder, token]) => `  ${holder.padEnd(9)} ${token}`),
    ];
    for (const line of lines) context.say(line);
    const { signal } = context;
    if (!signal.aborted) await once(signal, 'abort');
  } finally {
    await encoder.stop();
  }
}

/** Of `tacet encoder serve`, over the home that the institution encoded in and the notes that nobody trained on. */
async function encoderArguments(setting: DemoSetting): Promise<string[]> {
  const { directory, parts, servers, publisher, embeddingsSource, entities } = setting;
  const holder = holderOf(parts.institutions[0]);
  const own = (name: string) => path.join(directory, holder, name);
  const tokenFile = own('registry-token');
  await writeFile(tokenFile, `${servers.tokens.get(holder)}\n`, { mode: 0o600 });
  return [
    ...['encoder', 'serve', '--port', '0', '--log-level', 'error'],
    ...['--model', own('representation'), '--pipeline', own('pipeline')],
    ...['--home', own('encoder'), '--entities', entities, '--embeddings', embeddingsSource],
    ...['--input', path.join(directory, UNSEEN.gold), '--trust', publisher.publicKeyFile],
    ...['--registry', servers.addresses.registry, '--token-file', tokenFile],
  ];
}
