import { percent } from '../../../platform/percent-text.js';
import { type Html, html } from '../../charts/html.js';
import type { AttackReport } from '../attack.js';
import { type AuditReport, comparisonsOf, NOT_RUN } from '../audit.js';
import { beatsChance } from './guessing.js';
import { interval, reportPage, wideTable } from './report-page.js';

/** One audit among others. */
export interface ComparedAudit {
  readonly label: string;
  readonly report: AuditReport;
  /** F1 of a de-identifier that was trained on it, and its 95 % interval, where it is known. */
  readonly f1?:
    | { readonly value: number; readonly interval: readonly [number, number] }
    | undefined;
}

/** What is compared: the strongest attack of each kind. */
const KINDS: readonly (readonly [what: string, is: (attack: AttackReport) => boolean])[] = [
  ['names a hidden word', hasName('known-noise-word')],
  ['names several hidden words', ({ task }) => task === 'name several words'],
  ['names an entity from a list of its type', hasName('closed-list')],
  ['names it with a prior', hasName('closed-list-with-prior')],
  ['names an entity that was replaced', ({ task }) => task === 'name the replaced entity'],
  ['tells a pair apart, knowing both sentences', hasName('known-noise-twins')],
  ['tells a pair apart, knowing one sentence', hasName('known-noise-pair')],
  ['the paper’s adversary', hasName('continued-adversary-both', 'fresh-adversary-both')],
  ['the best of other learned adversaries', ({ name }) => /^(pooled|attention|bilstm)-/.test(name)],
  ['reads the PHI', ({ task }) => task === 'read the PHI'],
  ['links two names', ({ task }) => task === 'link two names'],
  ['infers the sex', ({ task }) => task === 'infer the sex'],
  ['infers the age group', ({ task }) => task === 'infer the age group'],
  ['finds a known sentence', ({ task }) => task === 'find the sentence'],
  ['confirms a sentence at 1 % false alarms', hasName('confirm-sentence')],
  ['... by the vectors alone', hasName('confirm-sentence-vectors')],
  ['confirms a note at 1 % false alarms', hasName('confirm-note')],
  ['... by the vectors alone', hasName('confirm-note-vectors')],
  ['reads a word of a known sentence', hasName('reading-known-sentence')],
  ['reads other words', ({ task }) => task === 'read other words'],
  ['recognises training notes', ({ task }) => task === 'recognise training notes'],
];

function hasName(...names: readonly string[]) {
  return ({ name }: AttackReport) => names.includes(name);
}

/** The strongest attack of each kind in each audit; null where none was run. */
export function comparedAttacks(audits: readonly ComparedAudit[]) {
  return KINDS.map(([what, is]) => ({
    what,
    attacks: audits.map(({ report }) => report.attacks.find(is) ?? null),
  })).filter(({ attacks }) => attacks.some((attack) => attack !== null));
}

const ATTACKED_WORDS = {
  bundle: 'as published',
  contribution: 'own releases',
  'replaced-contribution': 'own releases, entities replaced',
  'noise-off': 'without its noise',
  'raw-embeddings': 'word vectors instead',
} as const;

/** Several audits side by side as one self-contained page, under a figure where there is one. */
export function comparisonPage(audits: readonly ComparedAudit[], figure?: Html): string {
  const body = html`<p>Each column is a representation, each row what attackers tried on it: how often the strongest of them was
right, with its 95 % interval, and how often guessing is. Bold numbers are better than guessing beyond luck. Attacks
show at least what can be learned, limits show at most what one release can tell of one word.</p>
${unlike(audits).map((what) => html`<p class="verdict">Not measured alike: ${what}. Compare with care.</p>`)}
${figure ? html`<div class="wide" role="region" aria-label="Figure" tabindex="0">${figure}</div>` : ''}
${wideTable(
  'Audits side by side',
  '',
  html`<tr><th>what attackers tried${audits.map(({ label }) => html`<th class="number">${label}`)}</tr>
${factRows(audits)}
${comparedAttacks(audits).map(
  ({
    what,
    attacks,
  }) => html`<tr><td>${what}${attacks.map((attack, i) => attackCell(attack, audits[i].report))}</tr>
`,
)}
${limitRows(audits)}`,
)}
<h2>What each audit found</h2>
${audits.map(
  ({ label, report }) => html`<h3>${label}</h3><p>${report.verdict}</p>${missing(report)}
`,
)}`;
  return reportPage('Representations under attack', body);
}

/** As much of a digest as tells models apart for people. */
const DIGEST = 12;

function factRows(audits: readonly ComparedAudit[]): Html {
  const scored = audits.some(({ f1 }) => f1);
  return html`<tr><td>model${audits.map(({ report: { heading, model } }) => html`<td class="number">${heading ? `${heading.name} ${heading.version}` : ''}<span class="interval">${model.slice(0, DIGEST)}…</span>`)}</tr>
<tr><td>audited${audits.map(({ report: { heading } }) => html`<td class="number">${heading ? html`${heading.created.slice(0, 10)}<span class="interval">${heading.corpus}</span>` : '–'}`)}</tr>
<tr><td>attacked${audits.map(({ report }) => html`<td class="number">${ATTACKED_WORDS[report.attacked]}`)}</tr>
<tr><td>candidates of a moved word${audits.map(({ report }) => html`<td class="number">${report.candidates}`)}</tr>
${scored ? html`<tr><td>F1 of the de-identifier${audits.map(({ f1 }) => html`<td class="number">${f1 ? html`${percent(f1.value)}${interval(f1.interval)}` : '–'}`)}</tr>` : ''}
`;
}

function attackCell(attack: AttackReport | null, report: AuditReport): Html {
  if (attack === null) return html`<td class="number">not run`;
  const { success, chance } = attack;
  const share = percent(success.value);
  return html`<td class="number">${beatsChance(attack, comparisonsOf(report)) ? html`<strong>${share}</strong>` : share}${interval(success.interval)}<span class="interval">guessing ${percent(chance)}</span>`;
}

function limitRows(audits: readonly ComparedAudit[]): Html {
  const row = (what: string, cell: (report: AuditReport) => Html) =>
    html`<tr><td>${what}${audits.map(({ report }) => html`<td class="number">${cell(report)}`)}</tr>
`;
  return html`${row('limit of every attack: one word, one release', ({ certified: { bound } }) => html`${percent(bound.value)}${interval(bound.interval)}`)}
${row('the same, 99th percentile of pairs', ({ certified }) => html`${percent(certified.percentile99)}`)}
${row('limit for an entity in a whole note', ({ entities: { bound } }) => html`${percent(bound.value)}${interval(bound.interval)}`)}`;
}

function missing({ leftOut, contradictions }: AuditReport): Html {
  const notRun = leftOut.filter((what) => what.endsWith(NOT_RUN));
  const cut = leftOut.filter((what) => !what.endsWith(NOT_RUN));
  const facts = [
    ['For want of time not run', notRun.map((what) => what.slice(0, -NOT_RUN.length))],
    ['For want of time cut short', cut],
    ['In contradiction to their limit', contradictions],
  ] as const;
  return html`${facts.map(([what, names]) => (names.length === 0 ? html`` : html`<p class="facts">${what}: ${names.join(', ')}.</p>`))}`;
}

/** In what the audits differ beside the representation. */
function unlike(audits: readonly ComparedAudit[]): string[] {
  const differs = (of: (report: AuditReport) => unknown) =>
    new Set(audits.map(({ report }) => JSON.stringify(of(report)))).size > 1;
  return [
    ...(differs(({ candidates }) => candidates) ? ['the number of candidates of a word'] : []),
    ...(differs(({ documents }) => documents) ? ['the number of notes'] : []),
    ...(differs(({ seed }) => seed) ? ['the seed of splits and pairs'] : []),
  ];
}
