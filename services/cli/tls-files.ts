import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { TacetError } from '../../proto/errors.js';
import type { Tls } from '../http/server.js';

export interface TlsFiles {
  readonly tlsCertificate?: string;
  readonly tlsKey?: string;
}

/** Undefined where neither file is named. Throws `config-invalid` for one alone and for two that do not fit, or `file-not-found`. */
export async function readTls({ tlsCertificate, tlsKey }: TlsFiles): Promise<Tls | undefined> {
  if ((tlsCertificate === undefined) !== (tlsKey === undefined))
    throw new TacetError(
      'config-invalid',
      'a certificate (tlsCertificate) and its key (tlsKey) go together',
    );
  if (tlsCertificate === undefined || tlsKey === undefined) return undefined;
  const [cert, key] = await Promise.all(
    [tlsCertificate, tlsKey].map((file) =>
      readFile(file, 'utf8').catch((cause) => {
        throw new TacetError('file-not-found', `${file}: no such PEM file`, { cause });
      }),
    ),
  );
  try {
    createSecureContext({ cert, key });
  } catch (cause) {
    throw new TacetError(
      'config-invalid',
      `${tlsCertificate} and ${tlsKey}: expected a certificate chain and its private key, both in PEM; give those that ` +
        'belong together',
      { cause },
    );
  }
  return { cert, key };
}
