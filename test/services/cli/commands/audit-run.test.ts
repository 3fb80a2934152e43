import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  ATTACK_IDS,
  type AttackFamily,
  type AttackId,
  attackOfName,
} from '../../../../models/attacks/attack-ids.js';
import { readAudit, writeAudit } from '../../../../models/attacks/report/audit-file.js';
import { standardAttacks } from '../../../../models/attacks/standard-attacks.js';
import { createKeyFiles } from '../../../../models/bundle/key-files.js';
import { peekBundle } from '../../../../models/bundle/verify.js';
import { nativeFunction } from '../../../../models/tensor/addon.js';
import { useBackend } from '../../../../models/tensor/backend.js';
import { Random } from '../../../../models/tensor/random.js';
import { saveNetworks } from '../../../../models/training/run/trained-networks.js';
import { sampleAttack, sampleAudit } from '../../../models/attacks/sample-audit.js';
import { publishedSite } from '../../institution/published-site.js';
import { capturedRun } from '../captured-run.js';

const NAMES = ['berta', 'carla', 'david', 'emil', 'frida', 'gustav', 'hanna', 'ivan'];
const WORDS = [
  'patient',
  'seen',
  'fever',
  'pain',
  'cough',
  'liver',
  'biopsy',
  'tablet',
  'by',
  'day',
];

/** The id and family that a report of this name has. */
function typeOf(name: string): { attack: AttackId; family: AttackFamily } {
  const attack = attackOfName(name) ?? (name.startsWith('inversion') ? 'inversion-phi' : 'linkage');
  return { attack, family: ATTACK_IDS[attack] };
}

/** Notes of one line each, with one name in it. */
function notes(count: number, seed = 6): string {
  const random = new Random(seed);
  const pick = (words: readonly string[]) => words[random.integer(words.length)];
  const lines = Array.from({ length: count }, (_, i) => {
    const before = Array.from({ length: 1 + random.integer(5) }, () => pick(WORDS)).join(' ');
    const name = pick(NAMES);
    const start = before.length + 1;
    const text = `${before} ${name} ${pick(WORDS)} ${pick(WORDS)}.`;
    return JSON.stringify({
      id: `${i % 2 === 0 ? 'east' : 'west'}-${i}`,
      text,
      spans: [{ start, end: start + name.length, label: 'PHI' }],
    });
  });
  return lines.join('\n');
}

const KEPT = ['--entities', 'keep'];

describe('tacet audit run', () => {
  const site = publishedSite([...NAMES, ...WORDS]);
  const { at } = site;
  beforeAll(async () => {
    await writeFile(at('notes.jsonl'), notes(60));
    await writeFile(at('members.jsonl'), notes(60, 7));
  });

  const model = () => [
    ...['--model', site.publisher.representation, '--trust', site.publisher.publicKeyFile],
    ...['--embeddings', site.publisher.embeddingsFile],
  ];
  /** All attacks but those of the first two kinds are taken for done, since they take long. */
  const audited = async (out: string, ...more: string[]) => {
    const work = join(at(out), 'work');
    await mkdir(join(work, 'attacks'), { recursive: true });
    const [, , ...others] = standardAttacks({ adversary: { units: 3 } });
    for (const { name } of others)
      await writeFile(
        join(work, 'attacks', `${name}.json`),
        JSON.stringify([sampleAttack(0.5, { name, ...typeOf(name) })]),
      );
    return capturedRun(
      ...['audit', 'run', ...model(), '--corpus', at('notes.jsonl'), '--neighbours', '6'],
      ...['--minutes', '1', '--epochs', '1', '--out', at(out), ...more],
    );
  };
  const reportOf = async (out: string) => readAudit(await readFile(join(at(out), 'audit.json')));

  test('attacks what is about to be shared, by the map that the encoder kept', async () => {
    const home = at('home');
    const encoded = await capturedRun(
      ...['encode', at('notes.jsonl'), ...model(), '--new-home', home, '--keep-map'],
    );
    expect(encoded).toMatchObject({ exit: 0 });
    const map = join(home, 'release-map.jsonl');
    expect((await stat(map)).mode & 0o777).toBe(0o600);
    const kept = await readFile(map, 'utf8');
    for (const name of NAMES) expect(kept).not.toContain(name);

    const { exit, stdout } = await audited('own', '--segments', join(home, 'outbox'));
    expect(exit).toBe(0);
    expect(stdout).toContain('known-noise-word');
    const report = await reportOf('own');
    expect(report.attacked).toBe('replaced-contribution');
    const word = report.attacks.find(({ name }) => name === 'known-noise-word');
    // Of the 30 notes that are measured on, each with the one release that the outbox holds.
    expect(word?.curves[0].points.map((point) => point.at)).toEqual([1]);
    expect(word?.documents).toBeLessThanOrEqual(30);
    expect(word?.statement).toBe('a name that nobody labelled');
    expect(stdout).toContain('(a name that nobody labelled)');
    expect(report.notTried.join()).toContain('membership');

    const later = at('home-of-later');
    await capturedRun(
      'encode',
      at('notes.jsonl'),
      ...model(),
      '--new-home',
      later,
      '--keep-map',
      ...KEPT,
    );
    const resumed = await audited('own', '--segments', join(later, 'outbox'), '--resume');
    expect(resumed.exit).toBe(3);
    expect(resumed.stderr).toContain('begun with other --segments');
  });

  const inBfloat16 = nativeFunction('hasBfloat16')() ? test : test.skip;
  inBfloat16('attacks nothing where f is not computed as for releases', async () => {
    process.env.TACET_PRECISION = 'bfloat16';
    try {
      const { exit, stderr } = await audited('coarse');
      expect({ exit, says: stderr.includes('TACET_PRECISION') }).toEqual({ exit: 2, says: true });
    } finally {
      delete process.env.TACET_PRECISION;
      await useBackend('native', 'float32');
    }
  });

  test('says what to do where no map was kept', async () => {
    const home = at('home-without');
    await capturedRun('encode', at('notes.jsonl'), ...model(), '--new-home', home, ...KEPT);
    const { exit, stderr } = await audited('none', '--segments', join(home, 'outbox'));
    expect(exit).toBe(3);
    expect(stderr).toContain('--keep-map');
  });

  test('attacks with fresh adversaries where the training run had none', async () => {
    await saveNetworks(at('trained'), { configs: {}, weights: {} });
    const { exit, stderr } = await audited('fresh', '--run', at('trained'));
    expect({ exit, said: stderr.includes('trained without an adversary') }).toEqual({
      exit: 0,
      said: true,
    });
  });

  test('refuses the adversary of a run that is not of the bundle', async () => {
    const adversary = { units: 3, embeddingDimension: 8, dimension: 50 };
    const weights = { kernel: { shape: [1], data: Float32Array.of(1) } };
    await saveNetworks(at('other-run'), {
      configs: { adversary },
      weights: { adversary: weights },
    });
    const { exit, stderr } = await audited('unfit', '--run', at('other-run'));
    expect(exit).toBe(2);
    expect(stderr).toContain('leave --run out');
  });

  test('tries some attacks alone where it is told to, and says which others there are', async () => {
    const { exit, stderr } = await audited('some', '--only', 'lookup-table,guess-work');
    expect({ exit, stderr }).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining(
        'no attack is called guess-work; expected some of known-noise',
      ),
    });
    const byResult = await audited('some', '--only', 'known-noise-pair');
    expect(byResult.stderr).toContain('known-noise-pair is a result of known-noise; expected some');
    expect(byResult.stderr).not.toContain('neighbours');
    expect(await audited('some', '--only', 'lookup-table')).toMatchObject({ exit: 0 });
    const { attacks, notTried } = await reportOf('some');
    expect(attacks.map(({ name }) => name)).toEqual(['lookup-table']);
    expect(notTried.at(-1)).toMatch(/^not asked for \(--only\): known-noise, .*confirmation/);
    const resumed = await audited('some', '--resume');
    expect(resumed.stderr).toContain('begun with other --only');
  });

  test('refuses notes that allow none of the chosen attacks, before it begins', async () => {
    const { exit, stderr } = await audited('impossible', '--only', 'membership');
    expect(exit).toBe(2);
    expect(stderr).toMatch(/--only: these notes allow none .*\(membership\): they were not given/);
    await expect(stat(join(at('impossible'), 'audit.json'))).rejects.toThrow();
    expect(await audited('impossible', '--only', 'lookup-table', '--resume')).toMatchObject({
      exit: 3,
    });
  });

  test('goes on where it was told to resume, and else lets a begun audit be', async () => {
    const slices = ['--institutions', '^[a-z]+', '--members', at('members.jsonl')];
    expect(await audited('again', ...slices)).toMatchObject({ exit: 0 });
    const first = await reportOf('again');
    const by = first.attacks
      .flatMap(({ slices }) => slices)
      .filter((each) => each.by === 'institution');
    expect(new Set(by.map(({ value }) => value))).toEqual(new Set(['east', 'west']));
    const refused = await audited('again', ...slices);
    expect(refused.exit).toBe(3);
    expect(refused.stderr).toContain('resume');
    const other = await audited('again', '--members', at('members.jsonl'), '--resume');
    expect(other.exit).toBe(3);
    expect(other.stderr).toContain('begun with other --institutions');
    expect(await audited('again', ...slices, '--resume', '--minutes', '2')).toMatchObject({
      exit: 0,
    });
    // The time at which it ended is another.
    expect({ ...(await reportOf('again')), heading: null }).toEqual({ ...first, heading: null });
  });

  test('leaves out what it would measure on of the provider’s notes, and says how many', async () => {
    const lines = (await readFile(at('notes.jsonl'), 'utf8')).split('\n');
    await writeFile(at('some-members.jsonl'), lines.slice(0, 20).join('\n'));
    const members = ['--members', at('some-members.jsonl'), '--only', 'lookup-table'];
    const { exit, stderr } = await audited('apart', ...members);
    expect(exit).toBe(0);
    const text =
      /(\d+) of the auditor’s notes to measure on that are among the provider’s training notes/;
    const [, count] = text.exec(stderr) ?? [];
    expect(Number(count)).toBeGreaterThan(0);
    const { notTried, documents } = await reportOf('apart');
    expect(notTried.some((each) => text.exec(each)?.[1] === count)).toBe(true);
    expect(documents.test).toBeLessThanOrEqual(18 - Number(count));

    const all = await audited('not-apart', '--members', at('notes.jsonl'));
    expect(all.exit).toBe(3);
    expect(all.stderr).toMatch(/--members: \d+ of the \d+ notes of --corpus .*0 others are left/);
  });

  test('says what model it was, by whom, on what notes and when, and what a policy says of it', async () => {
    const auditor = await createKeyFiles(at('auditor-keys'));
    const policy = {
      publisherKeys: [site.publisher.publicKeyFile],
      maxReleases: 1,
      minDocuments: 1,
    };
    const audit = { auditorKeys: [auditor.publicKeyFile], minNeighbours: 6, minTestDocuments: 1 };
    await writeFile(at('plain.json'), JSON.stringify(policy));
    await writeFile(at('strict.json'), JSON.stringify({ ...policy, audit }));
    const startedMs = Date.now();
    const strict = await audited('held', '--policy', at('strict.json'));
    expect(strict.exit).toBe(0);
    expect(strict.stdout).toMatch(/policy: strict.json does not accept this audit: it ended each/);
    const { heading } = await reportOf('held');
    const { manifest, signers } = await peekBundle(site.publisher.representation);
    expect(heading).toMatchObject({
      ...{ name: manifest.name, version: manifest.version, publisherKeys: signers },
      corpus: 'notes.jsonl',
    });
    expect(Date.parse(heading?.created ?? '')).toBeGreaterThanOrEqual(startedMs);
    const page = await readFile(join(at('held'), 'audit.html'), 'utf8');
    for (const text of [`${manifest.name} ${manifest.version}`, 'notes.jsonl', 'does not accept'])
      expect(page).toContain(text);

    const plain = await audited('held', '--policy', at('plain.json'), '--resume', '--json');
    expect(JSON.parse(plain.stdout).policy).toMatchObject({ asksForAudit: false });
    const none = await audited('held', '--resume');
    expect(none.stdout).toContain('no policy was given');
  });

  test('compare heads folders of one name by what tells them apart', async () => {
    const report = writeAudit(sampleAudit());
    for (const folder of ['one/audit', 'two/audit', 'two/other']) {
      await mkdir(at(folder), { recursive: true });
      await writeFile(join(at(folder), 'audit.json'), report);
    }
    const compared = (folders: readonly string[], ...more: string[]) =>
      capturedRun('audit', 'compare', ...folders.map(at), '--out', at('columns'), ...more);
    const { stdout } = await compared(['one/audit', 'two/audit', 'two/other'], '--json');
    expect(JSON.parse(stdout).audits).toEqual(['one/audit', 'two/audit', 'other']);
    const page = await readFile(join(at('columns'), 'comparison.html'), 'utf8');
    expect(page).toContain('>one/audit</th><th scope="col" class="number">two/audit</th>');
    expect(page).toContain('sample-model 1.2.0');

    const score = { label: 'λ = 1', series: 'certified', f1: 0.9, f1Interval: [0.88, 0.92] };
    await writeFile(at('alike.json'), JSON.stringify({ 'one/audit': score, 'two/audit': score }));
    const alike = await compared(['one/audit', 'two/audit'], '--scores', at('alike.json'));
    expect(alike).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('labels of their own'),
    });
    const twice = await compared(['one/audit', 'one/audit']);
    expect(twice).toMatchObject({ exit: 2, stderr: expect.stringContaining('named twice') });
  });

  test('compare sets audits side by side, and draws them against scores', async () => {
    const score = { label: 'λ = 1', series: 'certified', f1: 0.9, f1Interval: [0.88, 0.92] };
    await writeFile(at('scores.json'), JSON.stringify({ again: score }));
    const compared = (audits: readonly string[], ...more: string[]) =>
      capturedRun('audit', 'compare', ...audits.map(at), '--out', at('side-by-side'), ...more);
    const page = () => readFile(join(at('side-by-side'), 'comparison.html'), 'utf8');
    const { exit, stdout } = await compared(['again', 'own']);
    expect(exit).toBe(0);
    expect(stdout).toMatch(/names a hidden word +[\d.]+ % +[\d.]+ %/);
    expect(await page()).toContain('own releases');

    const scored = await compared(['again'], '--scores', at('scores.json'));
    expect(scored.stdout).toMatch(/F1 +90\.0 %/);
    expect(await page()).toContain('certified, N = 6');
    const figure = await readFile(join(at('side-by-side'), 'frontier.svg'), 'utf8');
    expect(figure).toContain('certified, N = 6');
    const missing = await compared(['again', 'own'], '--scores', at('scores.json'));
    expect(missing.exit).toBe(2);
  });
});
