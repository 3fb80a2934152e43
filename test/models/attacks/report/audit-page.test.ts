import { describe, expect, test } from '@jest/globals';
import type { PolicyOutcome } from '../../../../models/attacks/report/audit-facts.js';
import { readAudit, writeAudit } from '../../../../models/attacks/report/audit-file.js';
import { auditPage } from '../../../../models/attacks/report/audit-page.js';
import type { AuditReport } from '../../../../models/attacks/report/audit-report.js';
import { comparisonPage } from '../../../../models/attacks/report/comparison-page.js';
import { sampleAttack, sampleAudit } from '../sample-audit.js';

const coded = expect.objectContaining({ code: 'audit-invalid' });

describe('the audit file', () => {
  test('comes back as it was written', () => {
    expect(readAudit(writeAudit(sampleAudit()))).toEqual(sampleAudit());
  });

  test('of formats 3 to 6 can still be read and shown', () => {
    const six = sampleAudit({ format: 'tacet-audit-6' });
    const { heading: ____, ...five } = { ...six, format: 'tacet-audit-5' as const };
    const { swaps: _, neighbours: __, ...four } = { ...five, format: 'tacet-audit-4' as const };
    const { comparisons: ___, ...three } = { ...four, format: 'tacet-audit-3' as const };
    expect(readAudit(Buffer.from(JSON.stringify(six)))).toEqual(six);
    for (const older of [five, four, three]) {
      expect(readAudit(Buffer.from(JSON.stringify(older)))).toEqual(older);
      expect(auditPage(older)).toContain('not stated by audits of this format');
      if (older !== five) expect(auditPage(older)).not.toContain('arbitrary name');
      expect(auditPage(older)).not.toMatch(/NaN|undefined|null/);
    }
  });

  test('is refused where a field is missing, unknown or out of range', () => {
    const bytes = (value: unknown) => Buffer.from(JSON.stringify(value));
    const { verdict: _, ...rest } = sampleAudit();
    expect(() => readAudit(bytes(rest))).toThrow(coded);
    expect(() => readAudit(bytes({ ...sampleAudit(), more: 1 }))).toThrow(coded);
    const attacks = [{ ...sampleAttack(0.7), chance: 1.2 }];
    expect(() => readAudit(bytes({ ...sampleAudit(), attacks }))).toThrow(coded);
    expect(() => readAudit(Buffer.from('{'))).toThrow(coded);
  });
});

describe('the audit page', () => {
  const page = auditPage(sampleAudit());

  test('shows the verdict, each attack, what was left out and what was not tried', () => {
    for (const text of ['Names can be attacked.', 'sample-pure-noise', 'of up to 50', 'membership'])
      expect(page).toContain(text);
  });

  test('says of what model, by whom, when and on what notes it is', () => {
    for (const text of [
      ...[
        'sample-model 1.2.0',
        'ab'.repeat(32),
        'cd'.repeat(32),
        'sample-public-notes (language en)',
      ],
      ...['2026-03-04', 'sample-held-out, 90 labelled notes', 'nobody has signed this copy'],
      'no policy was given',
    ])
      expect(page).toContain(text);
    const signed = auditPage(sampleAudit(), {
      publisher: 'st-elsewhere',
      signature: {
        ...{
          auditors: [{ keyId: 'ef'.repeat(32), name: 'watch' }],
          attached: '2026-05-06T07:08:09.000Z',
        },
        registry: 'https://registry.example.org',
      },
    });
    for (const text of [
      'st-elsewhere',
      'watch, as the registry says',
      '2026-05-06',
      'ef'.repeat(32),
    ])
      expect(signed).toContain(text);
  });

  test('says what comes of a policy', () => {
    const held = (policy: PolicyOutcome) => auditPage(sampleAudit(), { policy });
    const asked = { name: 'policy.json', asksForAudit: true };
    expect(held({ ...asked, against: undefined })).toContain('policy.json accepts this audit');
    expect(held({ ...asked, against: 'it is too weak' })).toContain(
      'policy.json does not accept this audit: it is too weak',
    );
    const none = { name: 'policy.json', asksForAudit: false, against: undefined };
    expect(held(none)).toContain('policy.json asks for no audit');
  });

  test('reconciles the limit of the verdict with that of the pairs', () => {
    const limits = page.slice(page.indexOf('<h2>Limits'));
    expect(limits).toContain('<strong>90.0 %</strong>');
    expect(limits).toMatch(/the verdict above says\s+<strong>96.0 %<\/strong>, the upper end/);
  });

  test('shows a verdict of several parts as a list', () => {
    const shown = auditPage(sampleAudit({ verdict: 'One thing; another; the last.' }));
    expect(shown).toContain('<p>One thing.</p><ul><li>Another.</li><li>The last.</li></ul>');
  });

  test('says so where there are no attacks, baselines or curves, instead of empty tables', () => {
    const empty = auditPage(sampleAudit({ attacks: [], baselines: [] }));
    expect(empty).toContain('No attack was run to its end');
    expect(empty).toContain('None were run');
    for (const text of ['<table', '<h2>Curves', '<h2>Who is hit', 'by what was moved'])
      expect(empty).not.toContain(text);
  });

  test('states beside the limits for near words what a swap with an arbitrary name comes to', () => {
    const limits = page.slice(page.indexOf('<h2>Limits'), page.indexOf('<h2>The worst case'));
    for (const text of [
      ...['arbitrary name', '88 swaps', '82.3 %', '83.4 %', '94.5 %', '95.6 %', '1.94', '61.2 %'],
      ...['49.0 neighbours', '12.3 (25.0 %) contain', 'Left out are 2 entities'],
    ])
      expect(limits).toContain(text);
  });

  test('says of replaced entities whether each has one surrogate in its note', () => {
    const { entities } = sampleAudit();
    const attacked = 'replaced-contribution';
    expect(auditPage(sampleAudit())).not.toContain('surrogate');
    const before = auditPage(sampleAudit({ attacked }));
    expect(before).toContain('Each mention of an entity has a surrogate of its own here');
    const one = sampleAudit({ attacked, entities: { ...entities, recurring: 0.234 } });
    expect(readAudit(writeAudit(one))).toEqual(one);
    expect(auditPage(one)).toContain('one surrogate here');
    expect(auditPage(one)).toContain('23.4 % of them stand in several sentences');
  });

  test('states no worst case of what nothing bounds', () => {
    const report = sampleAudit({ attacked: 'raw-embeddings', worstCase: null });
    expect(readAudit(writeAudit(report))).toEqual(report);
    expect(auditPage(report)).toContain('None holds');
    expect(auditPage(report)).not.toContain('Vectors have length one');
    expect(auditPage(sampleAudit())).toContain('Vectors have length one');
  });

  test('shows what could have been detected, and the blind attacker beside one that sees', () => {
    expect(page).toContain('<th scope="col" class="number">detectable</th>');
    const pairs = sampleAttack(0.7).pairs;
    const blind = { auc: 0.612, truePositivesAt1Percent: 0.071, truePositivesAt01Percent: 0.013 };
    const linkage = sampleAttack(0.7, {
      task: 'link two names',
      pairs: pairs && { ...pairs, blind, epsilon: { ...pairs.epsilon, epsilon: 7.77 } as never },
    });
    const shown = auditPage(sampleAudit({ attacks: [linkage] }));
    for (const text of ['blind 0.612', 'blind 7.1 %', 'blind 1.3 %']) expect(shown).toContain(text);
    // An audit of format 3 may state one for such pairs.
    expect(shown).not.toContain('7.77');
  });

  test('states no ε that pairs of given releases would prove', () => {
    const pairs = sampleAttack(0.7).pairs;
    const epsilon = pairs?.epsilon && { ...pairs.epsilon, epsilon: 7.77 };
    const attacks = [sampleAttack(0.7, { pairs: pairs && { ...pairs, epsilon: epsilon ?? null } })];
    expect(auditPage(sampleAudit({ attacks }))).toContain('7.77');
    const given = sampleAudit({ attacks, attacked: 'replaced-contribution' });
    expect(auditPage(given)).not.toContain('7.77');
  });

  test('charts the attackers who know most, however weak, under the whole bound', () => {
    const others = Array.from({ length: 8 }, (_, i) => sampleAttack(0.9, { name: `strong-${i}` }));
    const weak = sampleAttack(0.5, { name: 'known-noise-twins' });
    const shown = auditPage(
      sampleAudit({
        attacks: [...others, weak],
        certified: {
          ...sampleAudit().certified,
          releases: [1, 64].map((releases) => ({ releases, bound: 0.77, interval: [0.7, 0.8] })),
        },
      }),
    );
    const charts = shown.slice(shown.indexOf('<h2>Curves'), shown.indexOf('<h2>Who is hit'));
    expect(charts.match(/known-noise-twins/g)?.length).toBeGreaterThanOrEqual(2);
    expect(charts).not.toContain('strong-7');
  });

  test('is not quiet where a tail of an attack is better than guessing', () => {
    const pairs = sampleAttack(0.5).pairs;
    const sure = sampleAttack(0.5, { pairs: pairs && { ...pairs, truePositivesAt1Percent: 0.2 } });
    const shown = auditPage(sampleAudit({ attacks: [sure] }));
    expect(shown).toContain('it recognised 20.0 % of the sentences');
    expect(shown).not.toContain('verdict quiet');
    expect(auditPage(sampleAudit({ attacks: [sampleAttack(0.5)] }))).toContain('verdict quiet');
  });

  test('is not quiet where its verdict speaks of no attack on names', () => {
    const weak = sampleAttack(0.5, { name: 'weak', task: 'infer the sex', pairs: null });
    const onRaw = { ...weak, name: 'weak-raw-embeddings', role: 'upper baseline' as const };
    const isQuiet = (fields: Parameters<typeof sampleAudit>[0]) =>
      auditPage(sampleAudit(fields)).includes('verdict quiet');
    expect(isQuiet({ attacks: [weak], baselines: [] })).toBe(true);
    expect(isQuiet({ attacks: [weak], baselines: [onRaw] })).toBe(false);
    expect(isQuiet({ attacks: [{ ...weak, trials: 0 }], baselines: [] })).toBe(false);
  });

  test('loads and runs nothing from anywhere', () => {
    expect(page).toContain("default-src 'none'");
    expect(page).not.toMatch(/<script|<link|<img|<iframe|https?:|url\(|@import|\son\w+=/i);
  });

  test('holds no number that is not one', () => {
    expect(page).not.toMatch(/NaN|Infinity|undefined|null/);
  });

  test('escapes what a report says', () => {
    expect(auditPage(sampleAudit({ verdict: '<b>x</b>' }))).not.toContain('<b>x</b>');
  });
});

describe('the page of several audits', () => {
  const strong = sampleAttack(0.9, { name: 'known-noise-twins' });
  const weak = sampleAttack(0.51, { name: 'known-noise-twins', gain: sampleAttack(0.5).gain });
  const audits = [
    { label: 'three-phase', report: sampleAudit({ attacks: [strong] }) },
    { label: '<i>certified</i>', report: sampleAudit({ attacks: [weak] }) },
  ];
  const page = comparisonPage(audits);

  test('shows each attack on each representation, and which of them beat guessing', () => {
    expect(page).toContain('<strong>90.0 %</strong>');
    expect(page).toContain('51.0 %');
    expect(page).not.toContain('<strong>51.0 %</strong>');
    expect(page).not.toContain('<i>');
    expect(page).not.toMatch(/NaN|undefined|null/);
  });

  test('warns of audits that were not measured alike', () => {
    expect(page).not.toContain('Not measured alike');
    const other = { label: 'other', report: sampleAudit({ candidates: 500 }) };
    expect(comparisonPage([...audits, other])).toContain('the number of candidates');
  });

  const { heading, entities } = sampleAudit();
  test.each<[string, Partial<AuditReport>]>([
    ['what was attacked', { attacked: 'raw-embeddings' }],
    [
      'the notes, by the names of their files',
      { ...(heading && { heading: { ...heading, corpus: 'other-notes' } }) },
    ],
    [
      'whether an entity has one surrogate in its note or several',
      { entities: { ...entities, recurring: 0.2 } },
    ],
  ])('warns where they differ in %s', (what, fields) => {
    const attacked = 'replaced-contribution';
    const pair = [{ attacked }, { attacked, ...fields }] as const;
    const replaced = pair.map((each, at) => ({ label: `${at}`, report: sampleAudit(each) }));
    const warnings = comparisonPage(replaced).match(/Not measured alike: [^.]*/g);
    expect(warnings).toEqual([`Not measured alike: ${what}`]);
  });

  test('warns of nothing that one of them does not state', () => {
    const { heading: _, ...older } = sampleAudit();
    expect(comparisonPage([...audits, { label: 'older', report: older }])).not.toContain(
      'Not measured alike',
    );
  });

  test('says what was not run', () => {
    const other = { label: 'other', report: sampleAudit({ attacks: [] }) };
    expect(comparisonPage([...audits, other])).toContain('not run');
  });
});
