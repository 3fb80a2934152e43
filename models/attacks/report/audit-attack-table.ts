import { percent } from '../../../platform/percent-text.js';
import { type Html, html } from '../../charts/html.js';
import type { AttackReport } from '../attack.js';
import { type AuditReport, comparisonsOf } from '../audit.js';
import { capitalise } from '../capitalise.js';
import { isCalibrated } from '../learned/calibrated.js';
import type { PairRates } from '../likelihood/pair-statistics.js';
import { beatsChance, leastDetectable } from './guessing.js';
import { interval, wideTable } from './report-page.js';
import { DID, whereSure } from './verdict.js';

/** The attacks of an audit as a table, strongest first, and more of their numbers. */
export function attackSection(report: AuditReport): Html {
  const { attacks } = report;
  if (attacks.length === 0) return html`<p>No attack was run to its end.</p>`;
  const context = comparisonsOf(report);
  return html`${attackTable(report, context)}
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
</details>`;
}

type Comparisons = ReturnType<typeof comparisonsOf>;

function attackTable({ attacks, baselines }: AuditReport, context: Comparisons): Html {
  return wideTable(
    'Attacks',
    'attacks',
    html`<tr><th>what the attacker did<th class="number">right answers<th><span class="unseen">drawn from 0 to 100 %</span><th class="number">by guessing<th class="number">at most possible</tr>
${attacks.map((attack) => attackRow(attack, context, isCalibrated(attack, baselines)))}`,
  );
}

function attackRow(attack: AttackReport, context: Comparisons, calibrated: boolean): Html {
  const { name, task, statement, description, success, chance, limit, trials } = attack;
  const sure = whereSure(attack, context);
  const doubt = calibrated
    ? ''
    : '; not calibrated: on these notes it fails on the word vectors too';
  return html`<tr><td>${beatsChance(attack, context) ? html`<strong>${capitalise(DID[task])}</strong>` : html`<span class="none">No better than guessing:</span> ${DID[task]}`}${sure ? html`: it ${sure}` : ''}<br><span class="what">${statement ? html`Of ${statement}. ` : ''}Attacker: ${description}; ${trials} tries (${name})${doubt}.</span>
<td class="number" data-name="right answers">${percent(success.value)}${interval(success.interval)}<td>${bar(attack)}
<td class="number" data-name="by guessing">${percent(chance)}<td class="number" data-name="at most possible">${limit ? percent(limit.value) : '–'}</tr>
`;
}

function detailTable(attacks: readonly AttackReport[], context: Comparisons): Html {
  return wideTable(
    'More numbers of each attack',
    '',
    html`<tr><th>attack<th class="number">detectable<th class="number">among its first ten answers<th class="number">area under ROC<th class="number">pairs found at 1 % false alarms<th class="number">at 0.1 %<th class="number">ε ≥</tr>
${attacks.map((attack) => detailRow(attack, context))}`,
  );
}

function detailRow(attack: AttackReport, context: Comparisons): Html {
  const { name, task, chance, topFive, topTen, pairs } = attack;
  const ends = pairs?.intervals.auc.map((end) => end.toFixed(3)).join(' – ');
  const blind = (rate: (rates: PairRates) => string) =>
    pairs?.blind ? html`<span class="interval">blind ${rate(pairs.blind)}</span>` : '';
  const tail = (of: 'truePositivesAt1Percent' | 'truePositivesAt01Percent') =>
    pairs
      ? html`${percent(pairs[of])}${interval(pairs.intervals[of])}${blind((rates) => percent(rates[of]))}`
      : '';
  const proves = task === 'tell a pair apart' ? pairs?.epsilon : null;
  return html`<tr><td>${name}<td class="number">${percent(leastDetectable(attack, context))}<span class="interval">guessing ${percent(chance)}</span>
<td class="number">${topTen ? percent(topTen.value) : ''}${topFive ? html`<span class="interval">first five ${percent(topFive.value)}</span>` : ''}
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
