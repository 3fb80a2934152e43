import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirectory } from '../../platform/files/durable-folder.js';

const PRIVATE = 'private.pem';
const PUBLIC = 'public.pem';

/** The Ed25519 key that signs the heads of a store's log, made at the first use. */
export function openLogKey(directory: string): KeyObject {
  const path = join(directory, PRIVATE);
  if (!existsSync(path)) createLogKey(directory);
  return createPrivateKey(readFileSync(path));
}

/** Whether there is one already. */
export function holdsLogKey(directory: string): boolean {
  return existsSync(join(directory, PRIVATE));
}

/** The public half of the key that a store, or its backup, signs its log with; undefined before its first use. */
export function readLogKey(directory: string): KeyObject | undefined {
  const path = join(directory, PUBLIC);
  return existsSync(path) ? createPublicKey(readFileSync(path)) : undefined;
}

/** The private key comes last: where it is, all is. */
function createLogKey(directory: string): void {
  makeDirectory(directory);
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  write(join(directory, PUBLIC), publicKey.export({ type: 'spki', format: 'pem' }), 0o644);
  write(join(directory, PRIVATE), privateKey.export({ type: 'pkcs8', format: 'pem' }), 0o600);
  makeDirectory(directory);
}

function write(path: string, text: string | Buffer, mode: number): void {
  writeFileSync(`${path}.new`, text, { mode, flush: true });
  renameSync(`${path}.new`, path);
}
