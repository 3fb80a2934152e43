import { verify } from '../../proto/dsse.js';
import { parseEnvelope } from '../../proto/envelope-schema.js';
import { TacetError } from '../../proto/errors.js';
import { validator } from '../../proto/validator.js';
import { AUDIT_TYPE } from '../registry/audit-routes.js';
import type { Policy } from './policy.js';

interface AuditFindings {
  /** SHA-256 of the bundle that was attacked. */
  readonly model: string;
  readonly attacks: readonly {
    readonly task: string;
    readonly success: { readonly interval: readonly number[] };
  }[];
  readonly certified: { readonly bound: { readonly interval: readonly number[] } };
}

/** Attacks of this task alone are held to the policy's limit: for them guessing is one half. */
const PAIR_TASK = 'tell a pair apart';

const INTERVAL = {
  type: 'object',
  required: ['interval'],
  properties: {
    interval: { type: 'array', minItems: 2, maxItems: 2, items: { type: 'number' } },
  },
} as const;

const parseFindings = validator<AuditFindings>(
  {
    type: 'object',
    required: ['model', 'attacks', 'certified'],
    properties: {
      model: { type: 'string' },
      attacks: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          required: ['task', 'success'],
          properties: { task: { type: 'string' }, success: INTERVAL },
        },
      },
      certified: { type: 'object', required: ['bound'], properties: { bound: INTERVAL } },
    },
  },
  'model-unsuitable',
  'the audit',
);

/**
 * Refuses a model with `model-unsuitable` unless some audit of it, signed by a trusted auditor, is
 * within the policy's limits. An interval counts by its upper end.
 */
export function requireAudit(
  model: string,
  envelopes: readonly unknown[],
  policy: NonNullable<Policy['audit']>,
): void {
  const failures = envelopes.map((envelope) => failureOf(model, envelope, policy));
  if (failures.some((failure) => failure === undefined)) return;
  throw new TacetError(
    'model-unsuitable',
    failures.length === 0
      ? `model ${model}: the policy asks for an audit and none was given; ask its publisher for one`
      : `model ${model}: no audit is within the policy: ${failures.join('; ')}`,
  );
}

/** Why an audit does not count; undefined where it does. */
function failureOf(
  model: string,
  envelope: unknown,
  { auditorKeys, maxAttackSuccess = 1, maxCertifiedBound = 1 }: NonNullable<Policy['audit']>,
): string | undefined {
  try {
    const { payload } = verify(parseEnvelope(envelope), AUDIT_TYPE, auditorKeys);
    const findings = parseFindings(JSON.parse(Buffer.from(payload).toString('utf8')));
    if (findings.model !== model) return `it is of model ${findings.model}`;
    const pairAttacks = findings.attacks.filter(({ task }) => task === PAIR_TASK);
    if (pairAttacks.length === 0) return 'it tried no attack that tells pairs apart';
    const success = Math.max(...pairAttacks.map((attack) => upper(attack.success)));
    if (!(success <= maxAttackSuccess))
      return `an attack succeeds in up to ${success}, the policy allows ${maxAttackSuccess}`;
    const bound = upper(findings.certified.bound);
    if (!(bound <= maxCertifiedBound))
      return `its certified bound is up to ${bound}, the policy allows ${maxCertifiedBound}`;
    return undefined;
  } catch (error) {
    if (error instanceof TacetError) return error.message;
    return 'it is not JSON';
  }
}

function upper({ interval }: { readonly interval: readonly number[] }): number {
  return interval[1] ?? Number.NaN;
}
