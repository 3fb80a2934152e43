import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { errorContexts } from '../../../models/evaluation/error-context.js';
import { ErrorPage } from '../../../models/evaluation/error-page.js';
import { evaluate } from '../../../models/evaluation/evaluate.js';
import { HipaaView } from '../../../models/evaluation/hipaa-view.js';
import type { Span } from '../../../models/text/document.js';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';
import { DraftFile } from '../../../platform/files/draft-file.js';
import { testInBrowser } from '../../browser.js';

const pair = (text: string, gold: Span[], system: Span[], id = 'a') => ({
  gold: { id, text, spans: gold },
  system: { id, text, spans: system },
});

function pageOf(...pairs: ReturnType<typeof pair>[]): string {
  const page = new ErrorPage();
  const hipaa = new HipaaView(loadLabelScheme('i2b2-official-hipaa'));
  const evaluation = evaluate(pairs, { seed: 1, resamples: 2, hipaa });
  return [page.head(), ...pairs.map((item) => page.document(item)), page.tail(evaluation)].join('');
}

describe('the contexts of errors', () => {
  const text = `Ana Bell came. ${'x '.repeat(200)}She left for Leeds.`;
  const place = (type: string, phrase: string) => {
    const start = text.indexOf(phrase);
    return { type, start, end: start + phrase.length };
  };

  test('say what was missed, spurious, confused and right, and leave far text out', () => {
    const contexts = errorContexts(
      pair(
        text,
        [place('PATIENT', 'Ana Bell'), place('CITY', 'Leeds')],
        [place('DOCTOR', 'Ana'), place('CITY', 'for Leeds')],
      ),
    );
    const outcomes = contexts.map(({ stretches }) =>
      stretches.map((stretch) => [stretch.outcome, stretch.text]),
    );
    expect(outcomes[0]?.slice(0, 2)).toEqual([
      ['confused', 'Ana'],
      ['missed', ' Bell'],
    ]);
    expect(outcomes[1]?.slice(1)).toEqual([
      ['spurious', 'for '],
      ['right', 'Leeds'],
      ['plain', '.'],
    ]);
    expect(outcomes.flat().reduce((sum, [, piece]) => sum + (piece?.length ?? 0), 0)).toBeLessThan(
      text.length,
    );
  });

  test('are none where both agree', () => {
    const spans = [place('PATIENT', 'Ana Bell')];
    expect(errorContexts(pair(text, spans, spans))).toEqual([]);
  });

  test('never part a surrogate pair', () => {
    const faces = '\u{1f600}'.repeat(100);
    const [context] = errorContexts(pair(faces, [{ type: 'A', start: 100, end: 102 }], []));
    for (const stretch of context?.stretches ?? [])
      expect(stretch.text).not.toMatch(/\p{Surrogate}/u);
  });
});

describe('the page of errors', () => {
  const hostile = '<script>alert(1)</script><img src=x onerror=alert(1)>';
  const page = pageOf(
    pair(`${hostile} Ana`, [{ type: 'PATIENT', start: 0, end: 8 }], [], '<b>id</b>'),
    pair('All right.', [], [], 'faultless'),
  );

  test('says first that it holds protected health information', () => {
    expect(page.indexOf('protected health information')).toBeLessThan(page.indexOf('<section'));
  });

  test('holds no markup of a document and no document without errors', () => {
    expect(page).not.toMatch(/<(script|img|b)\b/);
    expect(page).toContain('&lt;script>');
    expect(page).toContain('&lt;b>id');
    expect(page).not.toContain('faultless');
    expect(page).toContain('1 of 2 documents have errors');
  });

  test('is not to be translated, which would send it to who made the browser', () => {
    expect(page).toMatch(/<main [^>]*translate="no"/);
  });

  test('may load nothing and use its own style alone', () => {
    const policy = /Content-Security-Policy" content="([^"]+)"/.exec(page)?.[1] ?? '';
    const style = /<style>(.*)<\/style>/s.exec(page)?.[1] ?? '';
    const digest = createHash('sha256').update(style).digest('base64');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`sha256-${digest}`);
    expect(page).not.toMatch(/https?:|<[^>]*\b(src|href|style)=/);
  });

  test('stops at five hundred documents and says how many are left', () => {
    const many = Array.from({ length: 503 }, (_, at) =>
      pair('Ana', [{ type: 'PATIENT', start: 0, end: 3 }], [], `d${at}`),
    );
    expect(pageOf(...many)).toContain('3 further documents with errors are not shown');
  });
});

describe('the page of errors in a browser', () => {
  const span = (type: string, start: number, end: number) => ({ type, start, end });
  const text = `Ana Bell of Leeds came on Monday. ${'verylongword'.repeat(20)}`;
  const gold = [span('PATIENT', 0, 8), span('CITY', 12, 17)];
  const page = pageOf(
    pair(text, gold, [span('DOCTOR', 0, 8), span('DATE', 26, 32), span('CITY', 12, 17)]),
    pair(text, gold, [], 'a document with a long name '.repeat(5)),
  );

  testInBrowser(
    'violates no rule of axe-core, is shown in its own style and fits',
    async (show) => {
      for (const width of [360, 1280])
        for (const scheme of ['light', 'dark'] as const) {
          const shown = await show(page, width, scheme);
          expect(await shown.violations()).toEqual([]);
          expect(await shown.overflow()).toBeLessThanOrEqual(0);
          expect(shown.complaints).toEqual([]);
        }
    },
  );

  testInBrowser('shows the scores before the documents', async (show) => {
    const shown = await show(page, 1280);
    const top = (selector: string) =>
      shown.page.evaluate(`document.querySelector("${selector}").getBoundingClientRect().top`);
    expect(Number(await top('pre'))).toBeLessThan(Number(await top('.context')));
  });
});

describe('a private file', () => {
  test('is for its owner alone, replaces an older one, and is there as a whole or not', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'tacet-private-'));
    try {
      const path = join(directory, 'page.html');
      await writeFile(path, 'old', { mode: 0o644 });
      const dropped = await DraftFile.create(path, { isPrivate: true });
      await dropped.write('half');
      await dropped.discard();
      expect(await readFile(path, 'utf8')).toBe('old');
      const file = await DraftFile.create(path, { isPrivate: true });
      await file.write('new');
      await file.commit();
      await file.discard();
      expect(await readFile(path, 'utf8')).toBe('new');
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      expect(await readdir(directory)).toEqual(['page.html']);
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  test('that cannot be written is one clear error', async () => {
    await expect(DraftFile.create('/nowhere/at/all.html')).rejects.toThrow(
      '/nowhere/at/all.html: cannot be written: its folder is missing',
    );
  });
});
