import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { conduct } from '../../../models/attacks/attack.js';
import { type AuditOptions, audit } from '../../../models/attacks/audit.js';
import { baseline } from '../../../models/attacks/baseline.js';
import { inversion } from '../../../models/attacks/inversion/inversion.js';
import {
  continuedAdversary,
  freshTrainingAdversary,
} from '../../../models/attacks/learned/continued-adversary.js';
import { freshAdversary } from '../../../models/attacks/learned/fresh-adversary.js';
import { knownNoise } from '../../../models/attacks/likelihood/known-noise.js';
import { linkage } from '../../../models/attacks/linkage/linkage.js';
import { AuditDirectory } from '../../../models/attacks/report/audit-directory.js';
import { readAudit, writeAudit } from '../../../models/attacks/report/audit-file.js';
import { byNotes } from '../../../models/attacks/report/by-notes.js';
import { Adversary } from '../../../models/networks/adversary.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { Random } from '../../../models/tensor/random.js';
import { hasRun } from '../../../models/training/run/run-directory.js';
import { toyContext, toyTarget } from './toy-target.js';

let root: string;
beforeAll(async () => {
  await useBackend();
  root = await mkdtemp(path.join(tmpdir(), 'tacet-audit-'));
});
afterAll(async () => {
  await rm(root, { recursive: true });
});

const limits = { maxEpochs: 3, patience: 3 };
const likelihood = knownNoise({ trials: 20, draws: 2, releases: [1, 4] });
const attacks = [
  likelihood,
  ...(['pooled', 'attention', 'bilstm'] as const).map((shape) =>
    freshAdversary({ shape, units: 4, limits }),
  ),
  baseline(likelihood, 'pure-noise'),
];
const options: AuditOptions = { seed: 1, model: 'ab'.repeat(32), attacks, rounds: 1, draws: 4 };
const small = () => toyTarget({ sentences: [60, 20, 60] });

const beginOrResume = async (directory: string, seed: number) =>
  AuditDirectory.open(directory, { seed }, { resume: await hasRun(directory) });

describe('an audit', () => {
  test('reports every attack beside its limit, in a file that its schema accepts', async () => {
    const report = await audit(await small(), options);
    expect(report.attacks.map(({ name }) => name).sort()).toEqual([
      'attention-adversary-4',
      'bilstm-adversary-4',
      'known-noise-pair',
      'known-noise-twins',
      'known-noise-word',
      'pooled-adversary-4',
    ]);
    expect(report.baselines).toHaveLength(3);
    expect(report.contradictions).toEqual([]);
    expect(report.leftOut).toEqual([]);
    expect(report.attacks.every(({ limit }) => limit !== null)).toBe(true);
    expect(readAudit(writeAudit(report))).toEqual(JSON.parse(JSON.stringify(report)));
  });

  test('goes on after an interruption and ends as if there had been none', async () => {
    const open = (name: string) => beginOrResume(path.join(root, name), 1);
    const whole = await audit(await small(), { ...options, directory: await open('whole') });
    const controller = new AbortController();
    const interrupted = audit(await small(), {
      ...options,
      directory: await open('parts'),
      signal: controller.signal,
      progress: ({ step }) => {
        if (step.startsWith('attention') && step.includes('epoch 2 of')) controller.abort();
      },
    });
    await expect(interrupted).rejects.toThrow();
    const resumed = await audit(await small(), { ...options, directory: await open('parts') });
    expect(resumed).toEqual(whole);
  });

  test('ends the same however often it was killed', async () => {
    const learned = [
      byNotes(inversion({ units: 3, limits })),
      byNotes(freshAdversary({ shape: 'pooled', units: 4, limits })),
      linkage({ couples: 20, limits }),
      freshTrainingAdversary({ units: 3, task: 'T2', limits }),
    ];
    const open = (name: string) => beginOrResume(path.join(root, name), 2);
    const run = async (name: string, killAfter: number) => {
      const controller = new AbortController();
      let steps = 0;
      return audit(await small(), {
        ...{ ...options, attacks: learned, signal: controller.signal },
        directory: await open(name),
        progress: () => {
          steps += 1;
          if (steps === killAfter) controller.abort();
        },
      });
    };
    const whole = await run('unkilled', Number.POSITIVE_INFINITY);
    let killed = 0;
    let ended: Awaited<ReturnType<typeof audit>> | undefined;
    // Each life is a little longer than the one before, so that every one gets further.
    for (let life = 7; !ended; life += 7) {
      ended = await run('killed', life).catch(() => undefined);
      killed += 1;
    }
    expect(killed).toBeGreaterThan(3);
    expect(ended).toEqual(whole);
  });

  test('goes on only where it is told to, and only with the audit that was begun', async () => {
    const open = (seed: number, resume: boolean) =>
      AuditDirectory.open(path.join(root, 'other'), { seed }, { resume });
    await expect(open(1, true)).rejects.toMatchObject({ code: 'file-not-found' });
    await open(1, false);
    await expect(open(1, false)).rejects.toMatchObject({ code: 'file-exists' });
    await expect(open(2, true)).rejects.toMatchObject({ code: 'checkpoint-invalid' });
    await open(1, true);
  });

  test('without time names all that it left out, and keeps the bounds', async () => {
    const report = await audit(await small(), { ...options, minutes: 1e-6 });
    expect(report.leftOut).toHaveLength(attacks.length);
    expect(report.certified.bound.value).toBeGreaterThan(0.5);
    expect(report.swaps?.bound.value).toBeGreaterThan(0.5);
    expect(report.neighbours).toEqual({ words: 6, neighbours: 5, containing: 0 });
    expect(report.verdict).toContain('No attack on names was run');
  });

  test('of baselines alone has limits with intervals all the same', async () => {
    const report = await audit(await small(), {
      ...options,
      attacks: [baseline(likelihood, 'pure-noise')],
    });
    const { value, corrected } = report.certified.bound;
    expect(corrected[1]).toBeGreaterThan(value);
    expect(readAudit(writeAudit(report)).comparisons).toBe(1);
  });

  test('says how many sentences left in part, whose pieces it attacks nowhere', async () => {
    const quick = { ...options, minutes: 1e-6 };
    const { notTried } = await audit({ ...(await small()), partlyReleased: 3 }, quick);
    expect(notTried.join()).toContain('pieces of 3 measured sentences that left in part');
    expect((await audit(await small(), quick)).notTried.join()).not.toContain('in part');
  });

  test('refuses notes with too few names to measure on', async () => {
    const target = await small();
    await expect(audit({ ...target, test: [] }, options)).rejects.toMatchObject({
      code: 'corpus-invalid',
    });
  });

  test('refuses too few notes to measure on, and says how many it needs', async () => {
    const target = await small();
    const few = target.test.map((example) => ({
      ...example,
      documentIndex: example.documentIndex % 4,
    }));
    await expect(audit({ ...target, test: few }, options)).rejects.toMatchObject({
      code: 'corpus-invalid',
      message: expect.stringContaining('has 4 notes, an audit needs 5'),
    });
  });
});

test('the adversary of training goes on from its weights and leaves them as they were', async () => {
  const target = await small();
  const { inputDimension, config } = target.representation;
  const { dimension } = config;
  const adversary = Adversary.create({ inputDimension, dimension, units: 3 }, new Random(1));
  const start = adversary.parameters.toArrays();
  const attack = continuedAdversary({ units: 3, start, limits });
  const [report] = await conduct(attack, target, await toyContext(target));
  expect(report).toMatchObject({ name: 'continued-adversary-both', settings: { epochs: 3 } });
  expect(adversary.parameters.toArrays()).toEqual(start);
});
