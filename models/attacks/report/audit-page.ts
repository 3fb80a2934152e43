import { percent } from '../../../platform/percent-text.js';
import { type Html, html } from '../../charts/html.js';
import type { AttackReport } from '../attack.js';
import { type AuditReport, comparisonsOf } from '../audit.js';
import { capitalise } from '../capitalise.js';
import { attackSection } from './audit-attack-table.js';
import { auditCharts } from './audit-charts.js';
import { type AuditStanding, auditFacts } from './audit-facts.js';
import { limits } from './audit-limits.js';
import { interval, reportPage, wideTable } from './report-page.js';
import { sliceTable } from './slice-table.js';
import { besideNames, DID, isQuiet } from './verdict.js';

/**
 * An audit as one self-contained page: what of, by whom, the verdict, then what it rests on. It holds no
 * text.
 */
export function auditPage(report: AuditReport, standing: AuditStanding = {}): string {
  const { attacks, baselines, verdict } = report;
  const context = comparisonsOf(report);
  const body = html`${auditFacts(report, standing)}
${verdictBox(verdict, isQuiet(attacks, context))}
<p>An attack shows at least how much can be learned from what is shared: what none of these could do,
another may. A limit shows at most how much: no attack whatever can do better on average, but only in
what it speaks of, one word that becomes another of its candidates. Labels and sentence lengths
are shared in clear and are not protected by anything. ${besideNames(attacks, context) ?? ''}</p>
<h2>Attacks, strongest first</h2>
${attackSection(report)}
${curves(report)}
${slices(attacks)}
${limits(report)}
<h2>Baselines</h2>
${baselineTable(baselines)}
<h2>What this audit did not do</h2>
<ul>${[...report.leftOut.map((what) => html`<li>For want of time: ${what}</li>`), ...report.notTried.map((what) => html`<li>Not tried: ${what}</li>`)]}</ul>
`;
  return reportPage('Audit of a representation', body);
}

/** The parts of a verdict, which stand in one sentence, one under the other. */
function verdictBox(verdict: string, quiet: boolean): Html {
  const [first, ...others] = verdict.replace(/\.$/, '').split('; ');
  const list =
    others.length === 0
      ? ''
      : html`<ul>${others.map((part) => html`<li>${capitalise(part)}.</li>`)}</ul>`;
  return html`<div class="${quiet ? 'verdict quiet' : 'verdict'}"><p>${first}.</p>${list}</div>`;
}

function curves(report: AuditReport): Html {
  const charts = auditCharts(report);
  return charts.length === 0
    ? html``
    : html`<h2>Curves</h2>
<div class="charts">${charts}</div>`;
}

/** What each attack does best on; of the many on pairs the strongest. */
function slices(attacks: readonly AttackReport[]): Html {
  const kindOf = ({ task, attack }: AttackReport) => (task === 'tell a pair apart' ? task : attack);
  const sliced = attacks.filter(
    (attack, i) =>
      attack.slices.length > 0 &&
      attacks.findIndex((other) => kindOf(other) === kindOf(attack)) === i,
  );
  if (sliced.length === 0) return html``;
  return html`<h2>Who is hit</h2>
<p>Attacks by what they were tried on, of those on pairs the strongest; groups of fewer than ten trials or five notes are left out.</p>
${sliced.map(
  ({ name, task, slices: own }) =>
    html`<details><summary>The attack that ${DID[task]} (${name})</summary>${sliceTable(name, own, 'right')}</details>`,
)}`;
}

function baselineTable(baselines: readonly AttackReport[]): Html {
  if (baselines.length === 0)
    return html`<p>None were run: nothing shows here that these attacks would find what there is to be found.</p>`;
  const rows = baselines.map(
    ({ name, role, success, chance, trials }) =>
      html`<tr><td>${name}<td>${role}<td class="number">${percent(success.value)}${interval(success.interval)}<td class="number">${percent(chance)}<td class="number">${trials}</tr>
`,
  );
  return html`<p>The same attacks where they must succeed (upper) and where only labels and length can help them
(lower). An attack that fails its upper baseline would be broken.</p>
<details><summary>${baselines.length} baselines</summary>
${wideTable(
  'Baselines',
  '',
  html`<tr><th>attack<th>baseline<th class="number">right<th class="number">guessing<th class="number">trials</tr>
${rows}`,
)}</details>`;
}
