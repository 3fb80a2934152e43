import { readJsonFile } from '../../../platform/files/json-file.js';
import { validator } from '../../../proto/validator.js';

/** What the audited model is worth, by the name of the audit's directory, as the columns are headed. */
export interface AuditScore {
  readonly label: string;
  readonly series: string;
  readonly f1: number;
  readonly f1Interval: readonly [low: number, high: number];
}

const SHARE = { type: 'number', minimum: 0, maximum: 1 } as const;

const parseScores = validator<Readonly<Record<string, AuditScore>>>(
  {
    type: 'object',
    additionalProperties: {
      type: 'object',
      additionalProperties: false,
      required: ['label', 'series', 'f1', 'f1Interval'],
      properties: {
        label: { type: 'string' },
        series: { type: 'string', minLength: 1 },
        f1: SHARE,
        f1Interval: { type: 'array', items: SHARE, minItems: 2, maxItems: 2 },
      },
    },
  },
  'config-invalid',
  'the scores',
);

/** Throws `file-not-found` or `config-invalid`. */
export async function readScores(file: string): Promise<Readonly<Record<string, AuditScore>>> {
  return parseScores(await readJsonFile(file, { what: 'file of scores', code: 'config-invalid' }));
}
