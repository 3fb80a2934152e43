/**
 * check-lock.js [FOLDER]: ends with an error where package.json and package-lock.json disagree, and, with
 * --installed, where what stands in node_modules is not what the lock file names.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ARGUMENTS = process.argv.slice(2);
const FOLDER = ARGUMENTS.find((each) => !each.startsWith('--')) ?? '.';
const KINDS = [
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
  'peerDependenciesMeta',
  'engines',
];

const read = (...names) => JSON.parse(readFileSync(join(FOLDER, ...names), 'utf8'));

/** Where the lock file was made of another package.json than this one. */
function disagreements(manifest, locked) {
  return KINDS.flatMap((kind) => {
    const [asked, written] = [manifest[kind] ?? {}, locked[kind] ?? {}];
    return [...new Set([...Object.keys(asked), ...Object.keys(written)])]
      .filter((name) => JSON.stringify(asked[name]) !== JSON.stringify(written[name]))
      .map((name) => {
        const [one, other] = [asked, written].map(
          (each) => JSON.stringify(each[name]) ?? 'nothing',
        );
        return `${kind} ${name}: package.json says ${one}, package-lock.json ${other}`;
      });
  });
}

/** Where an installed package is missing, of another version, or of other bytes than the lock file names. */
function strays(lock, installed) {
  const names = new Set([...Object.keys(lock), ...Object.keys(installed)]);
  names.delete('');
  return [...names].flatMap((path) => {
    const [expected, found] = [lock[path], installed[path]];
    // One for another platform, or a peer that the user added.
    if (found === undefined && (expected.optional || expected.peer)) return [];
    if (expected === undefined)
      return found.peer ? [] : [`${path} ${found.version}: not in the lock file`];
    if (found === undefined || !existsSync(join(FOLDER, path, 'package.json')))
      return [`${path}: expected ${expected.version}, it is not installed`];
    const { version } = read(path, 'package.json');
    if (version !== expected.version)
      return [`${path}: expected ${expected.version}, found ${version}`];
    if (found.integrity !== expected.integrity)
      return [`${path} ${version}: expected ${expected.integrity}, found ${found.integrity}`];
    return [];
  });
}

function end(faults, advice) {
  if (faults.length === 0) return;
  for (const fault of faults) process.stderr.write(`tacet: ${fault}\n`);
  process.stderr.write(`tacet: ${advice}\n`);
  process.exit(1);
}

const lock = read('package-lock.json').packages;
end(
  disagreements(read('package.json'), lock['']),
  'run `npm install --package-lock-only --ignore-scripts` and commit both files',
);
if (ARGUMENTS.includes('--installed')) {
  end(
    strays(lock, read('node_modules', '.package-lock.json').packages),
    'remove node_modules and run make again; where it says so again, the registry serves other packages than the lock file names',
  );
}
