import { percent } from '../../../platform/percent-text.js';
import { type Html, html } from '../../charts/html.js';
import type { Slice } from '../attack.js';
import type { AuditReport } from '../audit.js';
import { interval } from './report-page.js';
import { sliceTable } from './slice-table.js';

/** What no attack can exceed: by pairs, by entities, by swaps, and at worst. */
export function limits(report: AuditReport): Html {
  const { certified, entities, worstCase } = report;
  const { bound, median, percentile95, percentile99, maximum, shareOver60, releases } = certified;
  return html`<h2>Limits of every attack</h2>
<p>For one release of a sentence and one moved word, averaged over the ${certified.pairs} balanced pairs of this audit: right in at most
<strong>${percent(bound.value)}</strong> ${interval(bound.interval)}. Other notes of the kind may come to more: the verdict above says
<strong>${percent(bound.corrected[1])}</strong>, the upper end of this mean’s interval, widened so that the intervals of all attacks of this audit hold together
with 95 % confidence. A mean hides open pairs: median
${percent(median)}, 95th percentile ${percent(percentile95)}, 99th ${percent(percentile99)}, greatest ${percent(maximum)};
${percent(shareOver60)} of the pairs are over 60 %.</p>
<p>For an entity that is another wherever it occurs in its note (${entities.entities} entities, ${entities.meanSentences.toFixed(1)}
sentences each on average): at most <strong>${percent(entities.bound.value)}</strong> ${interval(entities.bound.interval)},
median ${percent(entities.median)}, 95th percentile ${percent(entities.percentile95)}. For several releases of one sentence:
${releases.map((each) => `${each.releases}: ${percent(each.bound)} [${percent(each.interval[0])}, ${percent(each.interval[1])}]`).join(', ')}. These limits are estimated from
${certified.draws} draws of the input noise a pair and hold for real arithmetic.</p>
${certified.slices.length === 0 ? '' : html`<details><summary>The same by what was moved</summary>${sliceTable('The limit', certified.slices, 'at most right')}</details>`}
${slicesIn('An entity wherever it occurs, by what it is', entities.slices)}
${swapsOf(report)}
${slicesIn('A random swap, by what the entity is', report.swaps?.slices)}
<h2>The worst case</h2>
${worstCase ? worstCaseOf(worstCase) : html`<p>None holds: word vectors have no common length, so any two may lie any distance apart.</p>`}`;
}

function slicesIn(summary: string, slices: readonly Slice[] = []): Html {
  if (slices.length === 0) return html``;
  return html`<details><summary>${summary}</summary>${sliceTable(summary, slices, 'at most right')}</details>`;
}

/** What the limits for near words leave open; audits of older formats do not state it. */
function swapsOf({ swaps, neighbours }: AuditReport): Html {
  if (!swaps || !neighbours) return html``;
  const { bound, nearby, median, percentile95, maximum, medianDistance, unmatched } = swaps;
  const share = neighbours.containing / Math.max(1, neighbours.neighbours);
  return html`<p>The limits above speak of words that become near words, and a near word can be much the same word: of the
${neighbours.neighbours.toFixed(1)} neighbours of a word on average, ${neighbours.containing.toFixed(1)} (${percent(share)}) contain the word itself. A swap with an
arbitrary name is another matter, and can be easier to tell; here is how much. For one mention of an entity that becomes a random other entity of its
type and number of words (${swaps.swaps} swaps): at most <strong>${percent(bound.value)}</strong> ${interval(bound.interval)}, median ${percent(median)}, 95th percentile
${percent(percentile95)}, greatest ${percent(maximum)}; half of the swaps move the vectors by more than ${medianDistance.toFixed(2)} noise deviations. For the same
mentions whose words become near ones: at most ${percent(nearby.value)} ${interval(nearby.interval)}.${unmatched > 0 ? ` Left out are ${unmatched} entities that no other could stand in for.` : ''}</p>`;
}

function worstCaseOf({ token, sentence, delta }: NonNullable<AuditReport['worstCase']>): Html {
  return html`<p>Vectors have length one before noise is added, so any two tokens lie at most ${token.distance.toFixed(1)} noise deviations
apart: the Gaussian mechanism is (ε = ${epsilonText(token.epsilon)}, δ = ${delta}) differentially private for one token’s vector, and
(ε = ${epsilonText(sentence.epsilon)}, δ = ${delta}) for a sentence of ${sentence.tokens} tokens, all of whose vectors one word can move.
This holds for all texts whatever, unlike the limits above, which average over the words of these notes. It
promises no more than it says: an ε over about 10 is no protection by itself, and then what protects, if
anything, is that real changes move the vectors much less than the worst ones, which only the limits above
measure. The attacks prove the ε of the table for specialists from below.</p>`;
}

function epsilonText(value: number): string {
  return value < 10 ? value.toFixed(2) : value.toFixed(0);
}
