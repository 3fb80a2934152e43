import { readFile } from 'node:fs/promises';
import { TacetError } from '../../proto/errors.js';
import { requireJson } from '../../proto/json-text.js';

/** The signed audits in the files that `--audit` names, not yet verified. */
export function readAudits(files: readonly string[]): Promise<unknown[]> {
  return Promise.all(files.map(readAudit));
}

async function readAudit(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new TacetError('file-not-found', `${file}: no such audit file`);
  });
  return requireJson(text, 'signature-invalid', `${file}: expected a signed audit in JSON`);
}
