import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { expect, test } from '@jest/globals';
import { ROOT } from '../shared-data.js';

interface Bill {
  readonly components: readonly {
    readonly 'bom-ref': string;
    readonly name: string;
    readonly group?: string;
    readonly hashes?: readonly object[];
  }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: string[] }[];
}

const text = execFileSync(process.execPath, ['setup/sbom.js'], {
  cwd: ROOT,
  maxBuffer: 2 ** 26,
  encoding: 'utf8',
});
const bill = JSON.parse(text) as Bill;
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

test('what the package depends on is CycloneDX 1.6 by its own schema', async () => {
  const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
  expect(await validator.validate(text)).toBeNull();
});

test('it holds every dependency with a digest, and nothing that is for development alone', () => {
  const names = bill.components.map(({ group, name }) => (group ? `${group}/${name}` : name));
  const aliased = ['better-sqlite3-node-20'];
  const wanted = Object.keys(manifest.dependencies).filter((name) => !aliased.includes(name));
  expect(names).toEqual(expect.arrayContaining(wanted));
  for (const name of ['jest', 'typescript', '@biomejs/biome']) expect(names).not.toContain(name);
  expect(bill.components.filter(({ hashes }) => !hashes)).toEqual([]);
});

test('who depends on whom leads to what it holds', () => {
  const known = new Set(bill.components.map((each) => each['bom-ref']));
  const targets = bill.dependencies.flatMap(({ dependsOn }) => dependsOn);
  expect(targets.filter((ref) => !known.has(ref))).toEqual([]);
});
