/**
 * image.js: makes build/tacet-VERSION-image.tar, the program as an image for containers: no shell, no package manager,
 * a user who is not root. It holds what build/package holds, what that depends on, the Node and the C libraries that
 * deploy/image.json pins by digest. The same commit, compiler and pins give the same bytes, wherever it is built.
 *
 * TACET_IMAGE_DEBS names a folder of the Debian packages, for a machine whose apt does not have those versions.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { writeImage } from './oci-archive.js';
import { shippedPackages } from './shipped-packages.js';

const PROGRAM = 'opt/tacet';
const json = (file) => JSON.parse(readFileSync(file, 'utf8'));
const say = (...args) => execFileSync(...args, { encoding: 'utf8' }).trim();

const { name, user, ...platforms } = json('deploy/image.json');
const pins = platforms[process.arch];
if (process.platform !== 'linux' || !pins)
  fail(`deploy/image.json pins nothing for ${process.platform}-${process.arch}`);
const { version, license } = json('package.json');
const revision = existsSync('.git') ? say('git', ['rev-parse', 'HEAD']) : undefined;
const seconds = Number(
  process.env.SOURCE_DATE_EPOCH ?? (revision && say('git', ['log', '-1', '--format=%ct'])),
);
if (!Number.isInteger(seconds)) fail('outside a clone SOURCE_DATE_EPOCH must say the time');

const work = mkdtempSync(join(tmpdir(), 'tacet-image-'));
try {
  const layers = [
    {
      ...{ folder: layer('libraries', libraries), says: 'C libraries of Debian, and the user' },
      owned: { path: 'data', id: user.id },
    },
    { folder: layer('node', node), says: pins.node.package },
    { folder: layer('program', program), says: `${name} ${version}` },
  ];
  tryOut(layers);
  const archive = resolve('build', `${name}-${version}-image.tar`);
  const digest = await writeImage({
    ...{ layers, seconds, work, archive, reference: `${name}:${version}` },
    config: { architecture: pins.architecture, os: 'linux', config: configuration() },
  });
  process.stdout.write(`${join('build', basename(archive))}\n${digest}\n`);
} finally {
  rmSync(work, { recursive: true, force: true });
}

function layer(folder, fill) {
  const path = join(work, folder);
  mkdirSync(path);
  fill(path);
  settle(path, { data: 0o700, tmp: 0o1777 });
  return path;
}

/** Of each Debian package what programs need at run time, and what tells a scanner which packages these are. */
function libraries(root) {
  const debs = join(work, 'debs');
  mkdirSync(debs);
  for (const pin of pins.debian) {
    const unpacked = join(work, 'unpacked', pin.package);
    mkdirSync(unpacked, { recursive: true });
    execFileSync('dpkg-deb', ['-x', debianPackage(pin, debs), unpacked]);
    for (const path of ['lib', 'lib64', 'usr/lib', 'etc/os-release', 'etc/debian_version'])
      copy(join(unpacked, path), join(root, path));
    const status = join(root, 'var/lib/dpkg/status.d', pin.package);
    write(status, say('dpkg-deb', ['-f', debianPackage(pin, debs)]));
    copy(
      join(unpacked, 'usr/share/doc', pin.package, 'copyright'),
      join(root, 'usr/share/doc', pin.package, 'copyright'),
    );
  }
  const home = `/home/${user.name}`;
  write(join(root, 'etc/passwd'), account('root', 0, '/') + account(user.name, user.id, home));
  write(join(root, 'etc/group'), `root:x:0:\n${user.name}:x:${user.id}:\n`);
  write(join(root, 'etc/nsswitch.conf'), 'hosts: files dns\n');
  for (const path of ['data', 'tmp', 'proc', 'sys', 'dev']) mkdirSync(join(root, path));
}

function account(called, id, home) {
  return `${called}:x:${id}:${id}::${home}:/sbin/nologin\n`;
}

/** The path of a package's file, its digest compared. */
function debianPackage({ package: called, version: wanted, sha256 }, folder) {
  const given = process.env.TACET_IMAGE_DEBS;
  const from = given ?? folder;
  const isIt = (file) => file.startsWith(`${called}_`) && file.endsWith('.deb');
  if (!given && !readdirSync(folder).some(isIt)) {
    try {
      execFileSync('apt-get', ['download', '-qq', `${called}=${wanted}`], {
        cwd: folder,
        stdio: ['ignore', 'ignore', 'ignore'],
      });
    } catch {
      fail(
        `apt has no ${called} ${wanted}; run apt-get update, or take it from a snapshot of Debian’s archive ` +
          'and name the folder in TACET_IMAGE_DEBS',
      );
    }
  }
  const file = readdirSync(from).find(isIt);
  if (!file) fail(`${from} has no package ${called} ${wanted}`);
  requireDigest(join(from, file), 'sha256', 'hex', sha256);
  return join(from, file);
}

function node(root) {
  const options = ['pack', pins.node.package, '--silent', '--pack-destination', work];
  const tarball = join(work, say('npm', options));
  const [algorithm] = pins.node.integrity.split('-', 1);
  requireDigest(tarball, algorithm, 'base64', pins.node.integrity.slice(algorithm.length + 1));
  const unpacked = join(work, 'node-package');
  mkdirSync(unpacked);
  execFileSync('tar', ['-xzf', tarball, '-C', unpacked, '--strip-components=1']);
  copy(join(unpacked, 'bin/node'), join(root, 'usr/bin/node'));
  copy(join(unpacked, 'LICENSE'), join(root, 'usr/share/doc/node/copyright'));
}

/** What build/package holds, and what it depends on as it is installed here. */
function program(root) {
  const to = join(root, PROGRAM);
  const sources = ['binding.gyp', 'models', 'setup'].map((path) => join('build/package', path));
  copy('build/package', to, (path) => !sources.includes(path));
  // Another Node than the image's needs it.
  rmSync(join(to, 'node_modules/better-sqlite3-node-20'), { recursive: true, force: true });
  const isWanted = (path) =>
    !/\.map$|\.d\.[cm]?ts$/.test(path) &&
    !(path.includes('/prebuilds/') && !path.endsWith(`/linux-${process.arch}.node`));
  for (const path of shippedPackages(json('package-lock.json'))) {
    if (path === 'node_modules/better-sqlite3-node-20' || !existsSync(path)) continue;
    if (existsSync(join(to, path))) continue;
    const nested = join(path, 'node_modules');
    copy(path, join(to, path), (each) => each !== nested && isWanted(each));
  }
}

/** The image's own loader and libraries run the program on every native part and one note, before anybody else does. */
function tryOut(layers) {
  const merged = join(work, 'merged');
  for (const { folder } of layers)
    cpSync(folder, merged, { recursive: true, verbatimSymlinks: true });
  const at = join(merged, PROGRAM);
  const paths = pins.libraries.map((path) => join(merged, path)).join(':');
  const run = (...args) =>
    execFileSync(
      join(merged, pins.loader),
      ['--library-path', paths, join(merged, 'usr/bin/node'), ...args],
      {
        stdio: ['ignore', 'ignore', 'inherit'],
        env: { HOME: work, TACET_CACHE: join(work, 'cache') },
      },
    );
  const parts = [
    `prebuilds/linux-${process.arch}/tacet.node`,
    ...['node_modules/better-sqlite3', 'node_modules/@resvg/resvg-js'],
  ];
  const load = `const [, ...parts] = process.argv; const loaded = parts.map((part) => require(part));
    new loaded[1](':memory:').close();`;
  run('-e', load, ...parts.map((part) => join(at, part)));
  write(join(work, 'notes', 'note.txt'), 'Jane Whitcombe was seen in Leeds on 12 March 2019.');
  run(
    ...[join(at, 'dist/services/cli/main.js'), 'deidentify'],
    ...[join(work, 'notes'), join(work, 'clean')],
  );
}

function configuration() {
  return {
    User: String(user.id),
    WorkingDir: '/data',
    Volumes: { '/data': {} },
    ExposedPorts: { '7420/tcp': {}, '7421/tcp': {} },
    // Inside a container the address must be one that the port mapping reaches.
    Env: [
      ...['PATH=/usr/bin', 'NODE_ENV=production', 'HOME=/data/home', 'TACET_CACHE=/data/cache'],
      ...['TACET_SERVE_DATA=/data', 'TACET_SERVE_HOST=0.0.0.0'],
      // Memory that was freed is kept for the next upload instead of being given back and asked for again.
      'MALLOC_TRIM_THRESHOLD_=134217728',
    ],
    // A larger young generation suits uploads, whose buffers die young.
    Entrypoint: [
      'node',
      '--min-semi-space-size=16',
      '--initial-old-space-size=256',
      `/${PROGRAM}/dist/services/cli/main.js`,
    ],
    Cmd: ['serve'],
    StopSignal: 'SIGTERM',
    Labels: {
      'org.opencontainers.image.title': name,
      'org.opencontainers.image.version': version,
      'org.opencontainers.image.licenses': license,
      ...(revision && { 'org.opencontainers.image.revision': revision }),
      'org.tacet.compiler': say('g++', ['-dumpfullversion']),
      'org.tacet.node': pins.node.package,
    },
  };
}

/** Modes by kind alone, whatever the umask and the file system made of them; `modes` of some of its entries. */
function settle(path, modes = {}) {
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const at = join(path, entry.name);
    if (entry.isSymbolicLink()) continue;
    if (entry.isDirectory()) settle(at);
    const isExecutable = entry.isDirectory() || (lstatSync(at).mode & 0o100) !== 0;
    chmodSync(at, modes[entry.name] ?? (isExecutable ? 0o755 : 0o644));
  }
  chmodSync(path, 0o755);
}

function copy(from, to, filter = () => true) {
  if (!existsSync(from) && !isLink(from)) return;
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { recursive: true, verbatimSymlinks: true, filter });
}

function isLink(path) {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

function requireDigest(file, algorithm, encoding, wanted) {
  const found = createHash(algorithm).update(readFileSync(file)).digest(encoding);
  if (found !== wanted) fail(`${basename(file)} has ${algorithm} ${found}, not ${wanted}`);
}

function write(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text.endsWith('\n') ? text : `${text}\n`);
}

function fail(why) {
  process.stderr.write(`image: ${why}\n`);
  process.exit(1);
}
