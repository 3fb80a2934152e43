import { type Html, html } from '../evaluation/html.js';
import type { AttackReport, Slice } from './attack.js';
import { type AuditReport, comparisonsOf } from './audit.js';
import { auditCharts } from './audit-charts.js';
import { isCalibrated } from './calibrated.js';
import { beatsChance, leastDetectable } from './guessing.js';
import type { PairRates } from './pair-statistics.js';
import { interval, percent, reportPage } from './report-page.js';
import { besideNames, DID, isQuiet, whereSure } from './verdict.js';

const ATTACKED_WORDS = {
  bundle: 'Bundle',
  contribution: 'Releases that are about to be shared, of bundle',
  'noise-off': 'For comparison, and not what anyone is given: without its noise, bundle',
  'raw-embeddings': 'For comparison, and not what anyone is given: word vectors instead of bundle',
} as const;

/** An audit as one self-contained page: the verdict, then what it rests on. It holds no text. */
export function auditPage(report: AuditReport): string {
  const { attacks, baselines, documents, candidates, model, seed, verdict } = report;
  const context = comparisonsOf(report);
  const quiet = isQuiet(attacks, context) ? 'verdict quiet' : 'verdict';
  const body = html`<p class="facts">${ATTACKED_WORDS[report.attacked]} ${model}. Attackers learned from ${documents.train} labelled notes, stopped by
${documents.validation}, and were measured on ${documents.test} that nothing was trained on; a word moves
among ${candidates} candidates; seed ${seed}.</p>
<p class="${quiet}">${verdict}</p>
<p>An attack shows at least how much can be learned from what is shared: what none of these could do,
another may. A limit shows at most how much: no attack whatever can do better on average, but only in
what it speaks of, one word that becomes another of its candidates. Labels, casing and sentence lengths
are shared in clear and are not protected by anything. ${besideNames(attacks, context) ?? ''}</p>
<h2>Attacks, strongest first</h2>
${attackTable(report, context)}
<p class="facts">Each bar runs from 0 to 100 %: the dot is the share of right answers with its 95 % interval,
the grey tick what guessing without the vectors gives, the dashed red tick what no attack can exceed on the same
tries. An attack is called better than guessing only where luck hardly explains it, all attacks of this audit
taken together: in its share of right answers or, for pairs, where it is surest of itself.</p>
<details><summary>More numbers, for specialists</summary>
${detailTable(attacks, context)}
<p class="facts">Detectable is the smallest share of right answers that as many tries would have told from guessing, four
times of five: smaller effects may be there and not be seen. ε ≥ is proved by the attack with 95 % confidence over all thresholds: no differential privacy with a
smaller ε (at δ = 10⁻⁵) can hold for such pairs. With fewer than 1000 fake pairs, 0.1 % means no false alarm. Blind is a like
attacker without the vectors, by what is shared in clear alone.</p>
</details>
<h2>Curves</h2>
<div class="charts">${auditCharts(report)}</div>
${slices(attacks)}
${limits(report)}
<h2>Baselines</h2>
<p>The same attacks where they must succeed (upper) and where only labels, casing and length can help them
(lower). An attack that fails its upper baseline would be broken.</p>
${baselineTable(baselines)}
<h2>What this audit did not do</h2>
<ul>${[...report.leftOut.map((what) => html`<li>For want of time: ${what}</li>`), ...report.notTried.map((what) => html`<li>Not tried: ${what}</li>`)]}</ul>
`;
  return reportPage('Audit of a representation', body);
}

type Comparisons = ReturnType<typeof comparisonsOf>;

function attackTable({ attacks, baselines }: AuditReport, context: Comparisons): Html {
  return html`<div class="wide"><table class="attacks">
<tr><th>what the attacker did<th class="number">right answers<th><th class="number">by guessing<th class="number">at most possible</tr>
${attacks.map((attack) => attackRow(attack, context, isCalibrated(attack, baselines)))}</table></div>`;
}

function attackRow(attack: AttackReport, context: Comparisons, calibrated: boolean): Html {
  const { name, task, description, success, chance, limit, trials } = attack;
  const sure = whereSure(attack, context);
  const doubt = calibrated
    ? ''
    : '; not calibrated: on these notes it fails on the word vectors too';
  return html`<tr><td>${beatsChance(attack, context) ? html`<strong>${capitalised(DID[task])}</strong>` : html`<span class="none">No better than guessing:</span> ${DID[task]}`}${sure ? html`: it ${sure}` : ''}<br><span class="what">Attacker: ${description}; ${trials} tries (${name})${doubt}.</span>
<td class="number">${percent(success.value)}${interval(success.interval)}<td>${bar(attack)}
<td class="number">${percent(chance)}<td class="number">${limit ? percent(limit.value) : '–'}</tr>
`;
}

function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function detailTable(attacks: readonly AttackReport[], context: Comparisons): Html {
  return html`<div class="wide"><table>
<tr><th>attack<th class="number">detectable<th class="number">among its first ten answers<th class="number">area under ROC<th class="number">pairs found at 1 % false alarms<th class="number">at 0.1 %<th class="number">ε ≥</tr>
${attacks.map((attack) => detailRow(attack, context))}</table></div>`;
}

function detailRow(attack: AttackReport, context: Comparisons): Html {
  const { name, task, chance, topTen, pairs } = attack;
  const ends = pairs?.intervals.auc.map((end) => end.toFixed(3)).join(' – ');
  const blind = (rate: (rates: PairRates) => string) =>
    pairs?.blind ? html`<span class="interval">blind ${rate(pairs.blind)}</span>` : '';
  const tail = (of: 'truePositivesAt1Percent' | 'truePositivesAt01Percent') =>
    pairs
      ? html`${percent(pairs[of])}${interval(pairs.intervals[of])}${blind((rates) => percent(rates[of]))}`
      : '';
  const proves = task === 'tell a pair apart' ? pairs?.epsilon : null;
  return html`<tr><td>${name}<td class="number">${percent(leastDetectable(attack, context))}<span class="interval">guessing ${percent(chance)}</span>
<td class="number">${topTen ? percent(topTen.value) : ''}
<td class="number">${pairs ? html`${pairs.auc.toFixed(3)}<span class="interval">${ends ?? ''}</span>${blind(({ auc }) => auc.toFixed(3))}` : ''}
<td class="number">${tail('truePositivesAt1Percent')}
<td class="number">${tail('truePositivesAt01Percent')}
<td class="number">${proves ? proves.epsilon.toFixed(2) : ''}</tr>
`;
}

function bar({ success, chance, limit }: AttackReport): Html {
  const x = (value: number) => (2 + 140 * value).toFixed(1);
  const limitTick = limit
    ? html`<line x1="${x(limit.value)}" x2="${x(limit.value)}" y1="1" y2="17" stroke="#a4262c" stroke-width="2" stroke-dasharray="3 2"/>`
    : '';
  return html`<svg class="bar" viewBox="0 0 144 18" role="img" aria-label="${percent(success.value)}"><line x1="2" x2="142" y1="9" y2="9" stroke="#dfe3e7"/><line x1="${x(chance)}" x2="${x(chance)}" y1="2" y2="16" stroke="#8a949e" stroke-width="2"/>${limitTick}<line x1="${x(success.interval[0])}" x2="${x(success.interval[1])}" y1="9" y2="9" stroke="#0072b2" stroke-width="3"/><circle cx="${x(success.value)}" cy="9" r="4" fill="#0072b2"/></svg>`;
}

/** Which tokens the strongest attack of each kind does best on. */
function slices(attacks: readonly AttackReport[]): Html {
  const sliced = attacks.filter(
    ({ task, slices: own }, i) =>
      own.length > 0 && attacks.findIndex((other) => other.task === task) === i,
  );
  if (sliced.length === 0) return html``;
  return html`<h2>Who is hit</h2>
<p>The strongest attack of each kind, by what it was tried on; groups of fewer than ten trials or five notes are left out.</p>
${sliced.map(
  ({ name, slices: own }) =>
    html`<details><summary>${name}</summary>${sliceTable(own, 'right')}</details>`,
)}`;
}

function sliceTable(own: readonly Slice[], heading: string): Html {
  return html`<div class="wide"><table class="slices"><tr><th>by<th>of<th class="number">trials<th class="number">${heading}</tr>
${own.map(
  ({ by, value, trials, success }) =>
    html`<tr><td>${by}<td>${value}<td class="number">${trials}<td class="number">${percent(success.value)}${interval(success.interval)}</tr>
`,
)}</table></div>`;
}

function limits(report: AuditReport): Html {
  const { certified, entities, worstCase } = report;
  const { bound, median, percentile95, percentile99, maximum, shareOver60, releases } = certified;
  return html`<h2>Limits of every attack</h2>
<p>For one release of a sentence and one moved word, averaged over ${certified.pairs} pairs: right in at most
<strong>${percent(bound.value)}</strong> ${interval(bound.interval)} of balanced pairs. A mean hides open pairs: median
${percent(median)}, 95th percentile ${percent(percentile95)}, 99th ${percent(percentile99)}, greatest ${percent(maximum)};
${percent(shareOver60)} of the pairs are over 60 %.</p>
<p>For an entity that is another wherever it occurs in its note (${entities.entities} entities, ${entities.meanSentences.toFixed(1)}
sentences each on average): at most <strong>${percent(entities.bound.value)}</strong> ${interval(entities.bound.interval)},
median ${percent(entities.median)}, 95th percentile ${percent(entities.percentile95)}. For several releases of one sentence:
${releases.map((each) => `${each.releases}: ${percent(each.bound)} [${percent(each.interval[0])}, ${percent(each.interval[1])}]`).join(', ')}. These limits are estimated from
${certified.draws} draws of the input noise a pair and hold for real arithmetic.</p>
<details><summary>The same by what was moved</summary>${sliceTable(certified.slices, 'at most right')}</details>
${swapsOf(report)}
<h2>The worst case</h2>
${worstCase ? worstCaseOf(worstCase) : html`<p>None holds: word vectors have no common length, so any two may lie any distance apart.</p>`}`;
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

function baselineTable(baselines: readonly AttackReport[]): Html {
  return html`<div class="wide"><table><tr><th>attack<th>baseline<th class="number">right<th class="number">guessing<th class="number">trials</tr>
${baselines.map(
  ({ name, role, success, chance, trials }) =>
    html`<tr><td>${name}<td>${role}<td class="number">${percent(success.value)}${interval(success.interval)}<td class="number">${percent(chance)}<td class="number">${trials}</tr>
`,
)}</table></div>`;
}

function epsilonText(value: number): string {
  return value < 10 ? value.toFixed(2) : value.toFixed(0);
}
