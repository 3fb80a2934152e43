import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  jest,
  test,
} from '@jest/globals';
import type { Attack, AttackContext } from '../../../models/attacks/attack.js';
import { attacksWithin } from '../../../models/attacks/attacks-within.js';
import { AuditDirectory } from '../../../models/attacks/report/audit-directory.js';
import type { AuditTarget } from '../../../models/attacks/target.js';
import { Random } from '../../../models/tensor/random.js';
import { sampleAttack } from './sample-audit.js';

const target = {} as AuditTarget;
const contextOf = () => ({ random: new Random(1) }) as AttackContext;

describe('attacks in a limited time', () => {
  let clockMs = 0;
  beforeEach(() => {
    clockMs = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => clockMs);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  /** Takes `takes` minutes, unless its time is out before. */
  const attack = (name: string, minutes: number, takes: number, ran: string[]): Attack => ({
    name,
    minutes,
    reports: 1,
    async prepare() {},
    async run(_, { msLeft }) {
      const given = (msLeft?.() ?? 0) / 60_000;
      ran.push(name);
      clockMs += Math.min(takes, given) * 60_000;
      return given < takes;
    },
    report: (isCut) => [sampleAttack(0.6, { name, shortened: isCut ? 'a part' : null })],
  });
  const within = async (minutes: number, expected: number[], takes: number[]) => {
    const ran: string[] = [];
    const attacks = expected.map((each, i) => attack(`${i}`, each, takes[i], ran));
    const done = await attacksWithin(attacks, target, { untilMs: minutes * 60_000, contextOf });
    return {
      ran,
      reported: done.reports.map(({ name }) => name),
      cut: done.reports.filter(({ shortened }) => shortened).map(({ name }) => name),
      notRun: done.notRun.map(({ name }) => name),
    };
  };

  test('are all run where it is not limited', async () => {
    const { ran } = await within(Number.POSITIVE_INFINITY, [3, 4, 2, 1], [3, 4, 2, 1]);
    expect(ran).toEqual(['0', '1', '2', '3']);
  });

  test('are those that fit, in their order, and none is cut', async () => {
    expect(await within(6, [3, 4, 2, 1], [3, 4, 2, 1])).toEqual({
      ran: ['0', '2', '3'],
      reported: ['0', '2', '3'],
      cut: [],
      notRun: ['1'],
    });
  });

  test('are the first alone, cut short, where it takes longer than there is', async () => {
    expect(await within(0.5, [3, 4], [3, 4])).toMatchObject({
      ran: ['0'],
      cut: ['0'],
      notRun: ['1'],
    });
  });

  test('are all of them where each takes much less than expected', async () => {
    const { ran, notRun } = await within(1, [2, 5, 3, 4], [0.1, 0.2, 0.2, 0.2]);
    expect({ ran, notRun }).toEqual({ ran: ['0', '1', '2', '3'], notRun: [] });
  });

  test('go back to one that was passed over once others have saved its time', async () => {
    const { ran, reported } = await within(10, [4, 8, 4], [4, 1, 1]);
    expect(ran).toEqual(['0', '2', '1']);
    expect(reported).toEqual(['0', '1', '2']);
  });

  test('are none where time is out already', async () => {
    expect(await within(0, [1], [1])).toMatchObject({ ran: [], notRun: ['0'] });
  });

  describe('that are kept on disk', () => {
    let root: string;
    beforeAll(async () => {
      root = await mkdtemp(path.join(tmpdir(), 'tacet-attacks-'));
    });
    afterAll(() => rm(root, { recursive: true }));

    test('go on with what was left out once there is more time', async () => {
      const directory = await AuditDirectory.open(root, {});
      const begin = (minutes: number, ran: string[]) => {
        const attacks = [3, 4].map((each, i) => attack(`${i}`, each, each, ran));
        const untilMs = clockMs + minutes * 60_000;
        return attacksWithin(attacks, target, { untilMs, directory, contextOf });
      };
      const [first, second]: string[][] = [[], []];
      expect((await begin(3, first)).notRun.map(({ name }) => name)).toEqual(['1']);
      const { reports, notRun } = await begin(9, second);
      expect([first, second]).toEqual([['0'], ['1']]);
      expect([reports.length, notRun]).toEqual([2, []]);
    });

    test('are refused by the name of the file where it is damaged', async () => {
      const directory = await AuditDirectory.open(root, {}, { resume: true });
      await directory.finish('kept', [sampleAttack(0.6)]);
      expect(await directory.finished('kept')).toEqual([sampleAttack(0.6)]);
      const file = path.join(root, 'attacks', 'kept.json');
      const whole = await readFile(file, 'utf8');
      for (const text of [whole.slice(0, 99), '', '[]', 'null', '[{"name":"kept"}]']) {
        await writeFile(file, text);
        await expect(directory.finished('kept')).rejects.toMatchObject({
          code: 'checkpoint-invalid',
          message: expect.stringMatching(/kept\.json: .*delete the file and resume/),
        });
      }
      expect(await directory.finished('another')).toBeNull();
    });
  });
});
