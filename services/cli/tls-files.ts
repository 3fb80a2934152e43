import { readFile } from 'node:fs/promises';
import { TacetError } from '../../proto/errors.js';
import type { Tls } from '../http/server.js';

export interface TlsFiles {
  readonly tlsCertificate?: string;
  readonly tlsKey?: string;
}

/** Undefined where neither file is named. Throws `config-invalid` for one alone, or `file-not-found`. */
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
  return { cert, key };
}
