import { readFile, stat } from 'node:fs/promises';
import { TacetError } from '../../../proto/errors.js';

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

const OTHERS = 0o077;
const LINE = /^(AWS_ACCESS_KEY_ID|AWS_SECRET_ACCESS_KEY|AWS_SESSION_TOKEN)=(\S+)$/;

/**
 * Credentials in lines as an environment file has them, `AWS_ACCESS_KEY_ID=…` and `AWS_SECRET_ACCESS_KEY=…`.
 * Throws `file-not-found`, or `config-invalid`, also where other users may read it; neither repeats a line.
 */
export async function readCredentials(file: string): Promise<Credentials> {
  const missing = () => {
    throw new TacetError('file-not-found', `${file}: no such file of credentials`);
  };
  const { mode } = await stat(file).catch(missing);
  if ((mode & OTHERS) !== 0)
    throw new TacetError(
      'config-invalid',
      `${file}: other users may read these credentials (mode ${(mode & 0o777).toString(8)}); ` +
        'run chmod 600 on it, and get new ones if others may have read it',
    );
  const text = await readFile(file, 'utf8').catch(missing);
  const lines = text.split('\n').map((line) => line.trim());
  const found: Record<string, string> = {};
  for (const [index, line] of lines.entries()) {
    if (line === '' || line.startsWith('#')) continue;
    const [, name, value] = LINE.exec(line) ?? [];
    if (name === undefined || value === undefined) throw malformed(file, `line ${index + 1}`);
    found[name] = value;
  }
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = found;
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw malformed(file, 'the whole');
  const sessionToken = found.AWS_SESSION_TOKEN;
  return { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) };
}

function malformed(file: string, where: string): TacetError {
  return new TacetError(
    'config-invalid',
    `${file}, ${where}: expected AWS_ACCESS_KEY_ID=… and AWS_SECRET_ACCESS_KEY=…, a line each`,
  );
}
