import type { AttackReport, AttackTask } from '../../../models/attacks/attack.js';
import type { AttackId } from '../../../models/attacks/attack-ids.js';
import { LEARNING_LIMITS } from '../../../models/attacks/learned/learning-limits.js';
import { readAudit } from '../../../models/attacks/report/audit-file.js';
import type { AuditReport } from '../../../models/attacks/report/audit-report.js';
import { parseEnvelope, verify } from '../../../proto/dsse.js';
import { TacetError } from '../../../proto/errors.js';
import { AUDIT_TYPE } from '../../../proto/publication.js';
import type { Policy } from './policy.js';

type AuditPolicy = NonNullable<Policy['audit']>;

/** Attacks of this task alone are held to the policy's limit: for them guessing is one half. */
const PAIR_TASK: AttackTask = 'tell a pair apart';

/** The attacks by likelihood: who has the bundle can do them, so an audit without them says little. */
const LIKELIHOOD_ATTACKS: readonly AttackId[] = ['known-noise-pair', 'known-noise-twins'];

/**
 * Refuses a model with `model-unsuitable` unless there is an audit of it by a trusted auditor that
 * says enough to count, and every audit that counts is within the policy's limits. An interval
 * counts by its upper end.
 */
export function requireAudit(
  model: string,
  envelopes: readonly unknown[],
  policy: AuditPolicy,
): void {
  if (envelopes.length === 0)
    throw new TacetError(
      'model-unsuitable',
      `model ${model}: the policy asks for an audit and none was given; ask its publisher for one`,
    );
  const judged = envelopes.map((envelope, i) => judge(`audit ${i + 1}`, model, envelope, policy));
  const beyond = judged.flatMap(({ beyond }) => beyond ?? []);
  const uncounted = judged.flatMap(({ uncounted }) => uncounted ?? []);
  if (beyond.length === 0 && uncounted.length < judged.length) return;
  const grounds = [
    ...(beyond.length > 0
      ? [`every audit that counts must be within the policy: ${beyond.join('; ')}`]
      : []),
    ...(uncounted.length > 0 ? [`not counted: ${uncounted.join('; ')}`] : []),
  ];
  throw new TacetError(
    'model-unsuitable',
    `model ${model}: no audit is enough for the policy: ${grounds.join('; ')}`,
  );
}

/** Why an audit does not count, or if it does, what of it is beyond the policy; empty if it passes. */
interface Judgement {
  readonly uncounted?: string;
  readonly beyond?: string;
}

function judge(name: string, model: string, envelope: unknown, policy: AuditPolicy): Judgement {
  try {
    const { payload, keyIds } = verify(parseEnvelope(envelope), AUDIT_TYPE, policy.auditorKeys);
    const signed = `${name} (by key ${keyIds[0]})`;
    const report = readAudit(payload);
    const gap = gapOf(report, model, policy);
    if (gap !== undefined) return { uncounted: `${signed}: ${gap}` };
    const excess = excessOf(report, policy);
    return excess === undefined ? {} : { beyond: `${signed}: ${excess}` };
  } catch (error) {
    if (error instanceof TacetError) return { uncounted: `${name}: ${error.message}` };
    throw error;
  }
}

/**
 * Why an audit of a model is not enough for a policy, whoever signed it: it does not count, or what it
 * found is beyond the limits; undefined where it is enough.
 */
export function groundAgainst(report: AuditReport, policy: AuditPolicy): string | undefined {
  return gapOf(report, report.model, policy) ?? excessOf(report, policy);
}

/** What an audit lacks to say anything of the bundle; undefined where it lacks nothing. */
function gapOf(
  report: AuditReport,
  model: string,
  { minNeighbours, minTestDocuments }: AuditPolicy,
): string | undefined {
  const { attacked, candidates, documents, contradictions } = report;
  if (report.model !== model) return `it is of model ${report.model}`;
  if (attacked !== 'bundle') return `it attacked the ${attacked}, not the bundle`;
  if (contradictions.length > 0)
    return `${contradictions.join(', ')} did better than any attack can, so it is computed wrongly`;
  if (candidates < minNeighbours)
    return `it moved words among ${candidates} candidates, the policy asks for ${minNeighbours}`;
  if (documents.test < minTestDocuments)
    return `it measured on ${documents.test} notes, the policy asks for ${minTestDocuments}`;
  const tried = pairAttacks(report);
  const missing = LIKELIHOOD_ATTACKS.filter((each) => !tried.some(({ attack }) => attack === each));
  if (missing.length > 0) return `it left out ${missing.join(' and ')}`;
  const adversaries = tried.filter(({ family }) => family === 'adversary');
  if (adversaries.length === 0) return 'it left out every adversary, continued or fresh';
  if (!adversaries.some(learnedToItsEnd))
    return (
      `it ended each adversary early, before ${LEARNING_LIMITS.maxEpochs} epochs or ` +
      `${LEARNING_LIMITS.patience} without progress`
    );
  return undefined;
}

function excessOf(
  report: AuditReport,
  { maxAttackSuccess = 1, maxCertifiedBound = 1 }: AuditPolicy,
): string | undefined {
  for (const { name, success } of pairAttacks(report)) {
    const most = success.interval[1];
    if (most > maxAttackSuccess)
      return `${name} succeeds in up to ${most}, the policy allows ${maxAttackSuccess}`;
  }
  const bound = report.certified.bound.interval[1];
  if (bound > maxCertifiedBound)
    return `its certified bound is up to ${bound}, the policy allows ${maxCertifiedBound}`;
  return undefined;
}

function pairAttacks({ attacks }: AuditReport): AttackReport[] {
  return attacks.filter(
    ({ task, role, trials }) => task === PAIR_TASK && role === 'attack' && trials > 0,
  );
}

/** The 50 epochs more of Friedrich et al. 2019, sections 7.3 and 9, save that what has stopped learning may end. */
function learnedToItsEnd({ settings: { epochs, bestEpoch } }: AttackReport): boolean {
  const learned = Number(epochs);
  return (
    learned >= LEARNING_LIMITS.maxEpochs || learned - Number(bestEpoch) >= LEARNING_LIMITS.patience
  );
}
