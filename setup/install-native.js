/**
 * Runs where the package is installed: every native part that came compiled is tried, and one that does not load here
 * is compiled from the sources beside it, against the headers that stand beside Node. Nothing is downloaded.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const require = createRequire(import.meta.url);
const PREFIX = dirname(dirname(process.execPath));
const IS_NODE_20 = Number.parseInt(process.versions.node, 10) < 22;

const load = (file) => () => require(file);
const built = (folder, name) => join(folder, 'build', 'Release', name);
const folderOf = (name) => dirname(require.resolve(`${name}/package.json`));
const sqlite = () => new (require('better-sqlite3-node-20'))(':memory:').close();

/** `isNeeded`: without it nothing runs; the kernels have a slower substitute. */
const parts = [
  {
    name: 'the native kernels',
    folder: ROOT,
    isThere: [
      load(join(ROOT, 'prebuilds', `${process.platform}-${process.arch}`, 'tacet.node')),
      load(built(ROOT, 'tacet.node')),
    ],
    isNeeded: false,
  },
  ...(IS_NODE_20
    ? [
        {
          name: 'SQLite',
          folder: folderOf('better-sqlite3-node-20'),
          isThere: [sqlite],
          isNeeded: true,
        },
      ]
    : []),
];

const loads = (tries) =>
  tries.some((attempt) => {
    try {
      attempt();
      return true;
    } catch {
      return false;
    }
  });

/** npm says where its own node-gyp is. */
function compile(folder) {
  const gyp = process.env.npm_config_node_gyp;
  if (gyp === undefined) return 'npm names no node-gyp';
  if (!existsSync(join(PREFIX, 'include', 'node', 'node_api.h')))
    return `Node's headers are not in ${join(PREFIX, 'include', 'node')}`;
  const options = ['rebuild', '--release', '--silent', `--nodedir=${PREFIX}`, '--force_build=1'];
  const { status, stderr } = spawnSync(process.execPath, [gyp, ...options], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  if (status === 0) return undefined;
  process.stderr.write(stderr ?? '');
  return 'node-gyp failed';
}

for (const { name, folder, isThere, isNeeded } of parts) {
  if (loads(isThere)) continue;
  const trouble = compile(folder);
  if (trouble === undefined) continue;
  process.stderr.write(
    `tacet: ${name} did not come compiled for ${process.platform}-${process.arch} and could not be ` +
      `compiled (${trouble}); a C++ compiler, make, Python and Node's headers are needed` +
      `${isNeeded ? '' : '; until then set TACET_BACKEND=cpu'}\n`,
  );
  if (isNeeded) process.exitCode = 1;
}
