/**
 * sbom.js [LOCK]: prints what the package depends on, as a CycloneDX 1.6 bill of materials, from package-lock.json
 * alone: names, versions, licences and digests, and who depends on whom. Development is left out.
 */
import { readFileSync } from 'node:fs';
import { shippedPackages } from './shipped-packages.js';

const { packages } = JSON.parse(readFileSync(process.argv[2] ?? 'package-lock.json', 'utf8'));
const { name, version, license } = packages[''];
const FOLDER = 'node_modules/';
const ALGORITHMS = { sha512: 'SHA-512', sha384: 'SHA-384', sha256: 'SHA-256', sha1: 'SHA-1' };

const shipped = shippedPackages({ packages });

const nameOf = (path) =>
  packages[path].name ?? path.slice(path.lastIndexOf(FOLDER) + FOLDER.length);

/** https://github.com/package-url/purl-spec: the at sign of a scope is escaped. */
const purlOf = (path) =>
  path === ''
    ? `pkg:npm/${name}@${version}`
    : `pkg:npm/${nameOf(path).replace(/^@/, '%40')}@${packages[path].version}`;

/** Where one package may stand several times, its path tells which. */
const refOf = (path) => (path === '' ? purlOf(path) : `${purlOf(path)}#${path}`);

function hashesOf({ integrity = '' }) {
  return integrity
    .split(/\s+/)
    .map((each) => /^(sha\d+)-(.+)$/.exec(each) ?? [])
    .filter(([, algorithm]) => ALGORITHMS[algorithm] !== undefined)
    .map(([, algorithm, digest]) => ({
      alg: ALGORITHMS[algorithm],
      content: Buffer.from(digest, 'base64').toString('hex'),
    }));
}

function licencesOf(stated) {
  if (typeof stated !== 'string') return {};
  return { licenses: [/[ ()]/.test(stated) ? { expression: stated } : namedLicence(stated)] };
}

function namedLicence(stated) {
  return { license: /^[A-Za-z0-9.+-]+$/.test(stated) ? { id: stated } : { name: stated } };
}

function componentOf(path) {
  const found = packages[path];
  const [scope, plain] = nameOf(path).startsWith('@')
    ? nameOf(path).split('/')
    : [undefined, nameOf(path)];
  const hashes = hashesOf(found);
  return {
    type: 'library',
    'bom-ref': refOf(path),
    ...(scope && { group: scope }),
    name: plain,
    version: found.version,
    scope: found.optional ? 'optional' : 'required',
    ...(hashes.length > 0 && { hashes }),
    ...licencesOf(found.license),
    purl: purlOf(path),
  };
}

/** As Node finds a package: in the folder of who asks, then in each around it. */
function found(asker, wanted) {
  for (let at = asker; ; at = at.slice(0, Math.max(at.lastIndexOf(`/${FOLDER}`), 0))) {
    const path = `${at === '' ? '' : `${at}/`}${FOLDER}${wanted}`;
    if (shipped.includes(path)) return path;
    if (at === '') return undefined;
  }
}

function dependenciesOf(path) {
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = packages[path];
  const wanted = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
  const paths = wanted.map((each) => found(path, each)).filter((each) => each !== undefined);
  return { ref: refOf(path), dependsOn: [...new Set(paths.map(refOf))] };
}

const bill = {
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  version: 1,
  metadata: {
    component: {
      type: 'application',
      'bom-ref': refOf(''),
      name,
      version,
      ...licencesOf(license),
      purl: purlOf(''),
    },
  },
  components: shipped.map(componentOf),
  dependencies: ['', ...shipped].map(dependenciesOf),
};
process.stdout.write(`${JSON.stringify(bill, null, 2)}\n`);
