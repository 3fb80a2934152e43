import { readJsonFile } from '../../../platform/files/json-file.js';
import { SHARE } from '../../../proto/schemas.js';
import { Type } from '../../../proto/typebox.js';
import { closedObject, mapOf, pairOf, type TypeOf } from '../../../proto/typed-schema.js';
import { validator } from '../../../proto/validator.js';

const SCORE = closedObject({
  label: Type.String(),
  series: Type.String({ minLength: 1 }),
  f1: SHARE,
  f1Interval: pairOf(SHARE),
});

/** What the audited model is worth, by the name of the audit's directory, as the columns are headed. */
export type AuditScore = TypeOf<typeof SCORE>;

const parseScores = validator(mapOf(SCORE), 'config-invalid', 'the scores');

/** Throws `file-not-found` or `config-invalid`. */
export async function readScores(file: string): Promise<Readonly<Record<string, AuditScore>>> {
  return parseScores(await readJsonFile(file, { what: 'file of scores', code: 'config-invalid' }));
}
