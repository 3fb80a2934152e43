import { readJsonFile } from '../../../platform/files/json-file.js';

/** The signed audits in the files that `--audit` names, not yet verified. */
export function readAudits(files: readonly string[]): Promise<unknown[]> {
  const audit = {
    what: 'audit file',
    code: 'signature-invalid',
    expected: 'a signed audit in JSON',
  } as const;
  return Promise.all(files.map((file) => readJsonFile(file, audit)));
}
