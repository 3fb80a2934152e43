import { DID } from '../../../models/attacks/report/verdict.js';
import { percent } from '../../../platform/percent-text.js';
import type { Model } from '../../../pool-store/models/models.js';
import { strongestOnNames } from './audit-summary.js';
import type { PartDifference } from './manifest-difference.js';
import type { RegistryReading } from './registry-reading.js';

/** How the registry and the newest audits of two versions stand to them. */
export async function standingDifference(
  reading: RegistryReading,
  from: Model,
  to: Model,
): Promise<PartDifference> {
  const before = await standingOf(reading, from);
  const after = await standingOf(reading, to);
  const names = Object.keys(before) as (keyof typeof before)[];
  const changed = names.filter((what) => before[what] !== after[what]);
  return {
    part: 'Standing and newest audit',
    same: names.length - changed.length,
    differences: changed.map((what) => ({ what, before: before[what], after: after[what] })),
  };
}

async function standingOf({ summaries }: RegistryReading, model: Model) {
  const { audits, total } = await summaries.ofModel(model.digest);
  const summary = audits.at(0)?.summary;
  const strongest = summary && strongestOnNames(summary.attacks);
  return {
    status: model.status,
    publisher: model.publisher,
    audits: `${total}`,
    'limit of every attack, mean': summary && percent(summary.limit.value),
    'the same in narrative': summary?.narrative && percent(summary.narrative.value),
    'the same in forms': summary?.form && percent(summary.form.value),
    'its 99th percentile': summary && percent(summary.percentile99),
    'candidates of a word': summary && `${summary.candidates}`,
    'strongest attack on names':
      strongest &&
      `${percent(strongest.success.value)}, by chance ${percent(strongest.chance)}: ${DID[strongest.task]}`,
  };
}
