import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
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

test('an inventory begins with another', async () => {
  const file = path.join(folder, 'with-soria.json');
  const towns = path.join(folder, 'towns.txt');
  await writeFile(towns, 'Soria\n');
  const { exit, stdout } = await capturedRun(
    ...['--json', 'inventory', 'create', file, '--scheme', 'meddocan', '--base', inventory()],
    ...['--list', `TERRITORIO=${towns}`],
  );
  expect(exit).toBe(0);
  const { forms, sources } = JSON.parse(stdout) as { forms: object; sources: { name: string }[] };
  expect(Object.keys(forms)).toEqual(Object.keys((await show()).forms));
  expect(sources.at(-1)?.name).toBe('towns.txt');
  expect(sources.length).toBeGreaterThan(2);
});

test('no inventory is made over another file, and nothing is read first', async () => {
  const before = await readFile(inventory());
  const { exit, stderr } = await capturedRun(
    ...['inventory', 'create', inventory(), '--scheme', 'meddocan', '--base', `${folder}/none`],
  );
  expect([exit, stderr]).toEqual([3, expect.stringMatching(/^tacet: file-exists: /)]);
  expect(await readFile(inventory())).toEqual(before);
});

test('a language of which nothing is known is refused, and those that there are are named', async () => {
  const create = (language: string) => [
    ...['inventory', 'create', path.join(folder, `${language}.json`)],
    ...['--scheme', 'meddocan', '--language', language],
  ];
  for (const language of ['english', 'xx']) {
    const { exit, stderr } = await capturedRun(...create(language));
    expect(exit).toBe(2);
    expect(stderr).toMatch(`usage: there are no names and forms of the language ${language}; `);
    expect(stderr).toMatch(/expected .*\ben\b.*\bes\b/);
  }
  const { exit, stdout } = await capturedRun(...create('es-MX'));
  expect([exit, stdout]).toEqual([
    0,
    expect.stringMatching(/^source {3}forms common forms, es-MX$/m),
  ]);
});

test('one that is interrupted is not written', async () => {
  const file = path.join(folder, 'interrupted.json');
  const caught = jest.spyOn(process, 'once').mockImplementation((event, listener) => {
    if (String(event) === 'SIGINT') listener();
    return process;
  });
  const { exit, stdout, stderr } = await capturedRun(
    ...['inventory', 'create', file, '--scheme', 'meddocan', '--language', 'es'],
  ).finally(() => caught.mockRestore());
  expect([exit, stdout]).toEqual([130, '']);
  expect(stderr).toMatch(/^tacet: interrupted: /);
  expect(existsSync(file)).toBe(false);
});

test('a folder in the place of an inventory, or of a list, is said to be one', async () => {
  const create = (...more: string[]) =>
    capturedRun('inventory', 'create', `${folder}/none.json`, '--scheme', 'meddocan', ...more);
  expect(await create('--base', folder)).toMatchObject({
    exit: 3,
    stderr: expect.stringMatching(
      /^tacet: file-unreadable: .*: is a folder; expected an inventory/,
    ),
  });
  expect(await create('--list', `TERRITORIO=${folder}`)).toMatchObject({
    exit: 3,
    stderr: expect.stringMatching(/^tacet: file-unreadable: .*EISDIR/),
  });
  expect(await create('--base', `${folder}/none`)).toMatchObject({
    exit: 3,
    stderr: expect.stringMatching(/^tacet: file-not-found: /),
  });
});

test('an inventory is compared with labelled notes, of which no word is printed', async () => {
  const notes = path.join(folder, 'notes.jsonl');
  const lines = Array.from({ length: 20 }, (_, i) =>
    JSON.stringify({
      id: `${i}`,
      text: 'el 3 de mayo',
      spans: [{ start: 0, end: 12, label: 'FECHAS' }],
    }),
  );
  await writeFile(notes, lines.join('\n'));
  const compare = (...args: string[]) =>
    capturedRun('inventory', 'show', inventory(), '--notes', notes, ...args);
  const { stdout } = await compare('--scheme', 'meddocan');
  expect(stdout).toMatch(
    /^alike +\d+\.\d % of FECHAS; one half of the notes and the other: 100\.0 %$/m,
  );
  expect(stdout).not.toContain('mayo');
  expect(await compare()).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining('--notes and --scheme: give both or neither'),
  });
});

test('an institution states how it writes and labels, and the inventory says that it did', async () => {
  const [forms, file, none] = ['house.json', 'house-inventory.json', 'none.json'].map((name) =>
    path.join(folder, name),
  ) as [string, string, string];
  const create = (to: string, ...args: string[]) =>
    capturedRun(
      ...['--json', 'inventory', 'create', to, '--scheme', 'meddocan', '--language', 'es'],
      ...['--own-forms', forms, ...args],
    );
  await writeFile(forms, '{"forms": {"FECHAS": ["el {1-28} de {month-es}"]}}');
  const { exit, stdout } = await create(file, '--own-share', '0.5');
  expect(exit).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    weighting: { ownShare: 0.5 },
    sources: expect.arrayContaining([
      { name: 'house.json', kind: 'forms', digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]),
  });
  const shown = await capturedRun('inventory', 'show', file);
  expect(shown.stdout).toContain('own      50.0 % of the draws of a type that has own forms');

  await writeFile(forms, '{"forms": {"FECHAS": ["{mes}"]}}');
  expect(await create(none)).toMatchObject({
    exit: 3,
    stderr: expect.stringContaining('house.json: form 1 of FECHAS names the list mes'),
  });
  await rm(forms);
  expect(await create(none)).toMatchObject({
    exit: 3,
    stderr: expect.stringContaining('no such file'),
  });
});
