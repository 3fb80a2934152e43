import { readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { InventoryFile } from '../../../../models/surrogates/inventory.js';
import { capturedRun } from '../../cli/captured-run.js';

interface Example {
  readonly note: string;
  readonly phi: readonly string[];
  readonly others: readonly string[];
}

/** By language. */
const EXAMPLES: Readonly<Record<string, Example>> = {
  en: {
    note: `Discharge summary

Mr. Peter Collins was admitted to St. Mary's Hospital in Boston on 12 March 2021 with chest pain.
He was seen by Dr. Susan Harper, phone 617-555-0143, e-mail s.harper@stmarys.example.
Troponin was normal and he went home on aspirin.
`,
    phi: ['Collins', 'Harper', '12 March 2021', '555-0143', 'stmarys.example'],
    others: ['chest pain', 'Troponin was normal', 'aspirin'],
  },
  es: {
    note: `Informe de alta

Paciente: Ángela Olmedo Ruiz. Fecha de ingreso: 12/03/2021. Domicilio: Calle Pez, 14. Localidad: Zaragoza.
Médico: Iñaki Goikoetxea Sanz. Tel. 976 555 014, correo: olmedo@ejemplo.es.
Ingresó por dolor torácico. La troponina fue normal y se fue a casa con aspirina.
`,
    phi: ['Olmedo', 'Goikoetxea', '12/03/2021', 'Calle Pez', 'Zaragoza', '555 014', 'ejemplo.es'],
    others: ['dolor torácico', 'troponina fue normal', 'aspirina'],
  },
};

let folder: string;
const before = process.env.XDG_DATA_HOME;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tacet-shipped-'));
  process.env.XDG_DATA_HOME = path.join(folder, 'nobody');
});
afterAll(async () => {
  if (before === undefined) delete process.env.XDG_DATA_HOME;
  else process.env.XDG_DATA_HOME = before;
  await rm(folder, { recursive: true, force: true });
});

test('every pipeline that comes with the package has an example here', () => {
  const entries = readdirSync('pipelines', { withFileTypes: true });
  const languages = entries.filter((each) => each.isDirectory()).map(({ name }) => name);
  expect(languages.sort()).toEqual(Object.keys(EXAMPLES));
});

describe.each(Object.entries(EXAMPLES))(
  'the pipeline for %s that comes with the package',
  (language, { note, phi, others }) => {
    test('takes names out of a note, and leaves what is none', async () => {
      const given = path.join(folder, `${language}.txt`);
      await writeFile(given, note);
      const { exit, stderr } = await capturedRun(
        ...['deidentify', given, path.join(folder, language), '--language', language],
      );
      expect([exit, stderr]).toEqual([0, expect.stringContaining('with the pipeline in ')]);
      const clean = await readFile(path.join(folder, language, `${language}.txt`), 'utf8');
      for (const name of phi) expect(clean).not.toContain(name);
      for (const kept of others) expect(clean).toContain(kept);
    });

    test('has surrogates of public lists and common forms alone', async () => {
      const file = path.join('pipelines', language, 'bundle/inventory.json');
      const { sources }: InventoryFile = JSON.parse(await readFile(file, 'utf8'));
      expect(new Set(sources.map(({ kind }) => kind))).toEqual(new Set(['locale', 'forms']));
    });
  },
);
