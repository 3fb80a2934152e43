import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { capturedRun } from '../captured-run.js';

let folder: string;
const inventory = () => path.join(folder, 'inventory.json');

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tacet-inventory-'));
  const { exit } = await capturedRun(
    ...['inventory', 'create', inventory(), '--scheme', 'meddocan', '--language', 'es'],
  );
  expect(exit).toBe(0);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const show = async (...args: string[]) => {
  const { stdout } = await capturedRun('--json', 'inventory', 'show', inventory(), ...args);
  return JSON.parse(stdout) as { forms: object; different: Record<string, number> };
};

test('an inventory shows how many of so many draws differ, the same every time', async () => {
  const { forms, different } = await show('--draws', '200');
  expect(Object.keys(different)).toEqual(Object.keys(forms));
  for (const count of Object.values(different)) expect(count).toBeLessThanOrEqual(200);
  // Names are many, sexes are few.
  expect(different.NOMBRE_SUJETO_ASISTENCIA).toBeGreaterThan(150);
  expect(different.SEXO_SUJETO_ASISTENCIA).toBeLessThan(50);
  expect((await show('--draws', '200')).different).toEqual(different);
});

test('and nothing of it where that is not asked for', async () => {
  expect((await show()).different).toEqual({});
});
