import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import { ROOT } from '../shared-data.js';

const folder = mkdtempSync(join(tmpdir(), 'tacet-oci-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const isGnu = (() => {
  try {
    return execFileSync('tar', ['--version'], { encoding: 'utf8' }).includes('GNU');
  } catch {
    return false;
  }
})();
if (!isGnu) process.stderr.write('skipped: images need GNU tar\n');

(isGnu ? test : test.skip)(
  'the same files give the same image, whenever they were made',
  async () => {
    const [one, two] = [await image('one', ['a', 'b']), await image('two', ['b', 'a'])];
    expect(two.digest).toBe(one.digest);
    expect(two.bytes.equals(one.bytes)).toBe(true);
  },
);

(isGnu ? test : test.skip)('an image names its parts by what they are', async () => {
  const { archive, digest } = await image('three', ['a', 'b']);
  const to = join(folder, 'unpacked');
  mkdirSync(to);
  execFileSync('tar', ['-xf', archive, '-C', to]);
  const blob = (of: { digest: string }) => {
    const hex = of.digest.slice('sha256:'.length);
    const bytes = readFileSync(join(to, 'blobs', 'sha256', hex));
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(hex);
    return bytes;
  };
  const index = JSON.parse(readFileSync(join(to, 'index.json'), 'utf8'));
  expect(index.manifests[0].digest).toBe(digest);
  const manifest = JSON.parse(blob(index.manifests[0]).toString());
  const config = JSON.parse(blob(manifest.config).toString());
  expect(config.rootfs.diff_ids).toEqual(manifest.layers.map(({ digest: of }: never) => of));
  writeFileSync(join(folder, 'layer.tar'), blob(manifest.layers[0]));
  const listed = execFileSync(
    'tar',
    ['-tvf', join(folder, 'layer.tar'), '--numeric-owner', '--utc'],
    {
      encoding: 'utf8',
    },
  );
  expect(listed).toMatch(/0\/0 .* 2001-09-09 01:46 \.\/a\n/);
  expect(listed).toMatch(/65532\/65532 .* \.\/own\/\n/);
});

async function image(name: string, files: readonly string[]) {
  const root = join(folder, name, 'root');
  mkdirSync(join(root, 'own'), { recursive: true });
  files.forEach((file, i) => {
    writeFileSync(join(root, file), `of ${file}`, { mode: 0o644 });
    utimesSync(join(root, file), i, Math.random() * 1e9);
  });
  const archive = join(folder, name, 'image.tar');
  const { writeImage } = await import(pathToFileURL(join(ROOT, 'setup/oci-archive.js')).href);
  const digest: string = await writeImage({
    layers: [{ folder: root, says: 'two files', owned: { path: 'own', id: 65_532 } }],
    config: { architecture: 'amd64', os: 'linux', config: { Cmd: ['a'] } },
    ...{ reference: 'some:1', seconds: 1e9, work: join(folder, name), archive },
  });
  return { archive, digest, bytes: readFileSync(archive) };
}
