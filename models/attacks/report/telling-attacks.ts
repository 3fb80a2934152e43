import type { AttackContext, AttackReport } from '../attack.js';
import { isCalibrated } from '../learned/calibrated.js';
import { beatsChance } from './guessing.js';

/**
 * The attacks that a verdict speaks of: those with trials whose failure would say something, and those that did not
 * fail.
 */
export function tellingAttacks(
  attacks: readonly AttackReport[],
  baselines: readonly AttackReport[],
  context: Pick<AttackContext, 'comparisons'>,
): AttackReport[] {
  return attacks.filter(
    (attack) =>
      attack.trials > 0 && (isCalibrated(attack, baselines) || beatsChance(attack, context)),
  );
}
