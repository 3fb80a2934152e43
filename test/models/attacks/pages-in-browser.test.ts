import { describe, expect } from '@jest/globals';
import { auditFrontier } from '../../../models/attacks/report/audit-frontier.js';
import { auditPage } from '../../../models/attacks/report/audit-page.js';
import { comparisonPage } from '../../../models/attacks/report/comparison-page.js';
import { testInBrowser } from '../../browser.js';
import { sampleAttack, sampleAudit } from './sample-audit.js';

const [PHONE, SCREEN] = [360, 1280];

const sliced = Array.from({ length: 12 }, (_, i) => ({
  ...{ by: 'type', value: `FAMILY_MEMBER_OF_THE_PATIENT_${i}`, trials: 100 },
  success: { value: 0.7, interval: [0.6, 0.8] as const },
}));
const attack = (name: string, success: number) => sampleAttack(success, { name, slices: sliced });
const report = sampleAudit({
  attacks: [attack('known-noise-twins', 0.8), attack('continued-adversary-both', 0.51)],
  baselines: ['known-noise-twins-raw-embeddings', 'known-noise-sequence-prior-alone'].map((name) =>
    sampleAttack(0.9, { name, role: 'upper baseline' }),
  ),
  certified: { ...sampleAudit().certified, slices: sliced },
});

const point = {
  ...{ label: 'λ = 0.1', series: 'certified', neighbours: 100, f1: 0.97 },
  ...{ f1Interval: [0.965, 0.975] as const, success: 0.55, successInterval: [0.52, 0.58] as const },
};
const figure = auditFrontier([{ ...point, kind: 'attack' }]);
const audits = ['certified, N = 100', 'certified, N = 500', 'three-phase, N = 1000'].map(
  (label) => ({
    ...{ label, report },
  }),
);

const PAGES = {
  'an audit': auditPage(report, {
    publisher: 'provider',
    signature: {
      ...{
        auditors: [{ keyId: 'ab'.repeat(32), name: 'auditor' }],
        attached: '2026-03-05T00:00:00.000Z',
      },
      registry: 'https://registry.example.org',
    },
  }),
  'an audit of nothing': auditPage(sampleAudit({ attacks: [], baselines: [] })),
  'several audits': comparisonPage(audits, figure),
};

describe.each(Object.entries(PAGES))('the page of %s', (_what, markup) => {
  testInBrowser('violates no rule of axe-core, and is shown in its own style', async (show) => {
    for (const width of [PHONE, SCREEN])
      for (const scheme of ['light', 'dark'] as const) {
        const shown = await show(markup, width, scheme);
        expect(await shown.violations()).toEqual([]);
        expect(shown.complaints).toEqual([]);
        expect(
          await shown.page.evaluate('getComputedStyle(document.querySelector("main")).fontFamily'),
        ).toContain('system-ui');
      }
  });

  testInBrowser('is no wider than a phone, whatever is opened', async (show) => {
    const shown = await show(markup, PHONE);
    expect(await shown.overflow()).toBeLessThanOrEqual(0);
    await shown.violations();
    expect(await shown.overflow()).toBeLessThanOrEqual(0);
  });

  testInBrowser('has no table without rows', async (show) => {
    const { page } = await show(markup, SCREEN);
    const rows = (await page.evaluate(
      '[...document.querySelectorAll("table")].map((each) => each.rows.length)',
    )) as number[];
    for (const count of rows) expect(count).toBeGreaterThan(1);
  });
});
