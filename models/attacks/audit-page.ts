import { createHash } from 'node:crypto';
import { Html, html } from '../evaluation/html.js';
import type { AttackReport, Slice } from './attack.js';
import type { AuditReport } from './audit.js';
import { auditCharts } from './audit-charts.js';
import { beatsChance, besideNames } from './verdict.js';

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 0 auto; padding: 1rem 1.25rem 4rem;
  color: #1d2126; background: #fff; }
h1 { font-size: 1.5rem; margin-bottom: .25rem; } h2 { font-size: 1.15rem; margin: 2.2rem 0 .4rem; }
.facts { color: #5b6570; font-size: .85rem; overflow-wrap: anywhere; }
.verdict { border-left: 6px solid #a4262c; background: #fdf3f4; padding: 1rem 1.25rem; font-size: 1.15rem; }
.verdict.quiet { border-color: #00704a; background: #f1faf6; }
table { border-collapse: collapse; width: 100%; font-size: .85rem; } .wide { overflow-x: auto; }
th, td { text-align: left; padding: .4rem .6rem; border-bottom: 1px solid #dfe3e7; vertical-align: top; }
th { font-weight: 600; color: #3b434b; } td.number, th.number { text-align: right; }
td.number { white-space: nowrap; font-variant-numeric: tabular-nums; }
td .what { color: #5b6570; } .attacks td:first-child { min-width: 15rem; } .interval { color: #5b6570; font-size: .75rem; display: block; }
p .interval { display: inline; }
svg { font: 11px system-ui, sans-serif; fill: #3b434b; } svg.bar { width: 8rem; height: 1.2rem; }
.none { color: #00704a; font-size: .75rem; } details { margin: .4rem 0; } summary { cursor: pointer; font-weight: 600; }
.slices td { padding: .15rem .6rem; } .slices .interval { display: inline; margin-left: .5rem; }
.grid { stroke: #e3e7ea; } figure { margin: 0; } figcaption { font-weight: 600; font-size: .85rem; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(26rem, 1fr)); gap: 1.5rem; }
.legend { list-style: none; padding: 0; margin: .25rem 0; font-size: .75rem; display: flex; flex-wrap: wrap;
  gap: .1rem .9rem; } .key { width: 1.6rem; height: .5rem; }
@media print { figure, tr { break-inside: avoid; } }
`;

/** The page may load and run nothing at all, and use this style alone. */
const POLICY = `default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;

const ATTACKED_WORDS = {
  bundle: 'Bundle',
  contribution: 'Releases that are about to be shared, of bundle',
  'noise-off': 'For comparison, and not what anyone is given: without its noise, bundle',
  'raw-embeddings': 'For comparison, and not what anyone is given: word vectors instead of bundle',
} as const;

/** An audit as one self-contained page: the verdict, then what it rests on. It holds no text. */
export function auditPage(report: AuditReport): string {
  const { attacks, baselines, documents, candidates, model, seed, verdict } = report;
  const quiet = verdict.startsWith('None') ? 'verdict quiet' : 'verdict';
  return html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width">
<title>Audit of a representation</title>
<style>${new Html(STYLE)}</style>
<h1>Audit of a representation</h1>
<p class="facts">${ATTACKED_WORDS[report.attacked]} ${model}. Attackers learned from ${documents.train} labelled notes, stopped by
${documents.validation}, and were measured on ${documents.test} that nothing was trained on; a word moves
among ${candidates} candidates; seed ${seed}.</p>
<p class="${quiet}">${verdict}</p>
<p>An attack shows at least how much can be learned from what is shared: what none of these could do,
another may. A limit shows at most how much: no attack whatever can do better on average, but only in
what it speaks of, one word that becomes another of its candidates. Labels, casing and sentence lengths
are shared in clear and are not protected by anything. ${besideNames(attacks) ?? ''}</p>
<h2>Attacks, strongest first</h2>
${attackTable(attacks)}
<p class="facts">Bars run from 0 to 100 %: the dot is the share of right answers with its 95 % interval,
the grey tick guessing without the vectors, the dashed tick the limit of every attack on the same trials.
ε ≥ is proved by the attack with 95 % confidence over all thresholds: no differential privacy with a
smaller ε (at δ = 10⁻⁵) can hold for such pairs. With fewer than 1000 fake pairs, 0.1 % means no false alarm.</p>
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
</html>
`.markup;
}

function attackTable(attacks: readonly AttackReport[]): Html {
  return html`<div class="wide"><table class="attacks">
<tr><th>attack<th class="number">right<th><th class="number">guessing<th class="number">limit<th class="number">in ten<th class="number">AUC<th class="number">found at 1 % and 0.1 % false alarms<th class="number">ε ≥</tr>
${attacks.map(attackRow)}</table></div>`;
}

function attackRow(attack: AttackReport): Html {
  const { name, description, success, chance, limit, topTen, pairs, trials } = attack;
  const rates = pairs
    ? html`${percent(pairs.truePositivesAt1Percent)}${interval(pairs.intervals.truePositivesAt1Percent)}${percent(pairs.truePositivesAt01Percent)}${interval(pairs.intervals.truePositivesAt01Percent)}`
    : '';
  return html`<tr><td><strong>${name}</strong>${beatsChance(attack) ? '' : NO_BETTER}<br><span class="what">${description}; ${trials} trials</span>
<td class="number">${percent(success.value)}${interval(success.interval)}<td>${bar(attack)}
<td class="number">${percent(chance)}<td class="number">${limit ? percent(limit.value) : '–'}
<td class="number">${topTen ? percent(topTen.value) : ''}<td class="number">${pairs ? html`${pairs.auc.toFixed(3)}<span class="interval">${pairs.intervals.auc.map((end) => end.toFixed(3)).join(' – ')}</span>` : ''}
<td class="number">${rates}<td class="number">${pairs ? pairs.epsilon.epsilon.toFixed(2) : ''}</tr>
`;
}

const NO_BETTER = html` <span class="none">no better than guessing</span>`;

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
<p>The strongest attack of each kind, by what it was tried on; groups of fewer than ten trials are left out.</p>
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

function limits({ certified, entities, worstCase }: AuditReport): Html {
  const { bound, median, percentile95, percentile99, maximum, shareOver60, releases } = certified;
  const { token, sentence, delta } = worstCase;
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
<h2>The worst case</h2>
<p>Vectors have length one before noise is added, so any two tokens lie at most ${token.distance.toFixed(1)} noise deviations
apart: the Gaussian mechanism is (ε = ${epsilonText(token.epsilon)}, δ = ${delta}) differentially private for one token’s vector, and
(ε = ${epsilonText(sentence.epsilon)}, δ = ${delta}) for a sentence of ${sentence.tokens} tokens, all of whose vectors one word can move.
This holds for all texts whatever, unlike the limits above, which average over the words of these notes. It
promises no more than it says: an ε over about 10 is no protection by itself, and then what protects, if
anything, is that real changes move the vectors much less than the worst ones, which only the limits above
measure. The attacks prove the ε in the last column of the table from below.</p>`;
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

function interval([low, high]: readonly [number, number]): Html {
  return html`<span class="interval">${percent(low)} – ${percent(high)}</span>`;
}

function percent(value: number): string {
  return `${(100 * value).toFixed(1)} %`;
}
