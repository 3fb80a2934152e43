import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createKeyFiles, readPrivateKey, readPublicKey } from '../../../models/bundle/key-files.js';
import { keyIdOf } from '../../../proto/dsse.js';
import { smallOrderKeys, unsoundKey } from '../../proto/small-order-keys.js';

describe('key files', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tacet-keys-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  test('a pair is written, the private key for its owner alone, and read back', async () => {
    const { keyId, privateKeyFile, publicKeyFile } = await createKeyFiles(directory);
    expect((await stat(privateKeyFile)).mode & 0o777).toBe(0o600);
    expect((await readPrivateKey(privateKeyFile)).asymmetricKeyType).toBe('ed25519');
    expect(keyIdOf(await readPublicKey(publicKeyFile))).toBe(keyId);
  });

  test('a key is never replaced', async () => {
    await createKeyFiles(directory);
    await expect(createKeyFiles(directory)).rejects.toMatchObject({ code: 'file-exists' });
  });

  test.each([0o640, 0o604, 0o620, 0o660])('a private key of mode %o is refused', async (mode) => {
    const { privateKeyFile } = await createKeyFiles(directory);
    await chmod(privateKeyFile, mode);
    await expect(readPrivateKey(privateKeyFile)).rejects.toThrow(/other users may read/);
  });

  test('a private key is not taken where a public one is expected', async () => {
    const { privateKeyFile } = await createKeyFiles(directory);
    await expect(readPublicKey(privateKeyFile)).rejects.toMatchObject({ code: 'key-invalid' });
  });

  test('a public key of small order is refused, with the name of its file', async () => {
    const file = join(directory, 'weak.pem');
    for (const raw of smallOrderKeys()) {
      await writeFile(file, unsoundKey(raw).export({ type: 'spki', format: 'pem' }));
      await expect(readPublicKey(file)).rejects.toMatchObject({
        code: 'key-invalid',
        message: expect.stringContaining(file),
      });
    }
  });

  test('a missing file and a file that is no key have codes of their own', async () => {
    const file = join(directory, 'other.pem');
    await expect(readPublicKey(file)).rejects.toMatchObject({ code: 'file-not-found' });
    await writeFile(file, 'not a key');
    await expect(readPublicKey(file)).rejects.toMatchObject({ code: 'key-invalid' });
  });
});
