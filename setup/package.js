/**
 * Makes build/package, the folder that is packed and published: the program without its tests, its native parts
 * compiled for this platform and as sources, and what it depends on as a bill of materials. The root's package.json
 * stays private, so that nothing else is ever published.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const OUT = join('build', 'package');
const require = createRequire(import.meta.url);
const json = (file) => JSON.parse(readFileSync(file, 'utf8'));
const run = (...args) =>
  execFileSync(process.execPath, args, {
    maxBuffer: 2 ** 26,
    stdio: ['ignore', 'pipe', 'inherit'],
  });

/** Compiled at installation by their own scripts, and partly from other hosts: they come with the package instead. */
const BUNDLED = ['better-sqlite3-node-20', 'bindings', 'file-uri-to-path'];
const COPIED = [
  ...['README.md', 'LICENSE', 'CHANGELOG.md', 'SECURITY.md', 'binding.gyp', 'docs/openapi'],
  ...['models/tensor/native', 'setup/install-native.js', 'pipelines', 'representations'],
];
const ENTRIES = {
  './client': 'services/client/client',
  './bundle': 'models/bundle/verify',
  './model-signature': 'models/bundle/model-signature',
};

rmSync(OUT, { recursive: true, force: true });
mkdirSync(OUT, { recursive: true });
for (const path of COPIED) cpSync(path, join(OUT, path), { recursive: true });
const isShipped = (path) => !/^dist\/(test|bench|\.)|\.map$|\.tsbuildinfo$/.test(path);
cpSync('dist', join(OUT, 'dist'), { recursive: true, filter: isShipped });
// Types of what the entries reach, and of nothing else.
run(
  ...['node_modules/typescript/bin/tsc', '--project', 'setup/tsconfig.package.json'],
  ...['--outDir', join(OUT, 'dist')],
);

const prebuilt = join(OUT, 'prebuilds', `${process.platform}-${process.arch}`);
mkdirSync(prebuilt, { recursive: true });
cpSync('build/Release/tacet.node', join(prebuilt, 'tacet.node'));
for (const name of BUNDLED) bundle(name);
writeFileSync(join(OUT, 'sbom.cdx.json'), run('setup/sbom.js'));

const {
  private: _,
  scripts: __,
  devDependencies: ___,
  overrides: ____,
  ...stated
} = json('package.json');
const dependencies = { ...stated.dependencies };
for (const name of BUNDLED)
  dependencies[name] ??= json(join('node_modules', name, 'package.json')).version;
const entry = (path) => ({ types: `./dist/${path}.d.ts`, default: `./dist/${path}.js` });
write(join(OUT, 'package.json'), {
  ...stated,
  scripts: { install: 'node setup/install-native.js' },
  dependencies,
  bundleDependencies: BUNDLED,
  exports: {
    ...Object.fromEntries(Object.entries(ENTRIES).map(([name, path]) => [name, entry(path)])),
    './openapi/*.json': './docs/openapi/*.json',
    './package.json': './package.json',
  },
  files: [...COPIED, 'dist', 'prebuilds', 'sbom.cdx.json'],
});

/** A package with what was compiled of it, and without the scripts that would do so again or ask other hosts. */
function bundle(name) {
  const from = dirname(require.resolve(`${name}/package.json`));
  const to = join(OUT, 'node_modules', name);
  const isWanted = (path) => !/\/build\/(?!Release$|Release\/[^/]+\.node$)/.test(path);
  cpSync(from, to, { recursive: true, filter: isWanted });
  // Its list of files leaves out what was compiled.
  const { scripts, files, ...manifest } = json(join(to, 'package.json'));
  const { 'prebuild-install': ____, ...dependencies } = manifest.dependencies ?? {};
  write(join(to, 'package.json'), { ...manifest, dependencies, gypfile: false });
}

function write(file, value) {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}
