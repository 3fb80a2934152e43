/**
 * An image of the Open Container Initiative as one archive, the same bytes for the same files: entries sorted, owned by
 * root but where `owned` says otherwise, all of one time, and layers not compressed, since what gzip writes depends on
 * its version. `podman load`, `docker load` and `skopeo` read it. Needs GNU tar.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const OCI = 'application/vnd.oci.image';
const LAYER = `${OCI}.layer.v1.tar`;

/** Writes `archive` from the folders of `layers`, the lowest first; returns the digest of the image's manifest. */
export async function writeImage({ layers, config, reference, seconds, work, archive }) {
  const layout = join(work, 'layout');
  const blobs = join(layout, 'blobs', 'sha256');
  mkdirSync(blobs, { recursive: true });
  const add = (mediaType, value) => {
    const bytes = Buffer.from(JSON.stringify(value));
    const digest = createHash('sha256').update(bytes).digest('hex');
    writeFileSync(join(blobs, digest), bytes);
    return { mediaType, digest: `sha256:${digest}`, size: bytes.length };
  };
  const packed = [];
  for (const { folder, owned } of layers) {
    const file = join(work, 'layer.tar');
    pack(folder, file, { seconds, owned });
    const digest = await digestOf(file);
    const { size } = statSync(file);
    renameSync(file, join(blobs, digest));
    packed.push({ mediaType: LAYER, digest: `sha256:${digest}`, size });
  }
  const created = new Date(1000 * seconds).toISOString();
  const stated = add(`${OCI}.config.v1+json`, {
    created,
    ...config,
    rootfs: { type: 'layers', diff_ids: packed.map(({ digest }) => digest) },
    history: layers.map(({ says }) => ({ created, created_by: says })),
  });
  const manifest = add(`${OCI}.manifest.v1+json`, {
    schemaVersion: 2,
    mediaType: `${OCI}.manifest.v1+json`,
    config: stated,
    layers: packed,
  });
  const named = { ...manifest, annotations: { 'org.opencontainers.image.ref.name': reference } };
  write(join(layout, 'index.json'), { schemaVersion: 2, manifests: [named] });
  write(join(layout, 'oci-layout'), { imageLayoutVersion: '1.0.0' });
  // What `docker load` read before it knew the layout.
  const pathOf = ({ digest }) => `blobs/${digest.replace(':', '/')}`;
  write(join(layout, 'manifest.json'), [
    { Config: pathOf(stated), RepoTags: [reference], Layers: packed.map(pathOf) },
  ]);
  pack(layout, archive, { seconds, mode: 'u=rwX,go=rX' });
  return manifest.digest;
}

/** `owned`: a folder in it that belongs to a user, as `{path, id}`; `mode` of all entries, where it is not their own. */
function pack(folder, file, { seconds, owned, mode }) {
  const options = [
    ...['--sort=name', '--format=posix', '--pax-option=delete=atime,delete=ctime'],
    ...[`--mtime=@${seconds}`, '--numeric-owner', '--group=0', '--owner=0'],
    ...(mode ? [`--mode=${mode}`] : []),
  ];
  const apart = owned ? [`--exclude=./${owned.path}`] : [];
  execFileSync('tar', [...options, ...apart, '-C', folder, '-cf', file, '.']);
  if (!owned) return;
  const owner = [`--owner=${owned.id}`, `--group=${owned.id}`];
  execFileSync('tar', [...options, ...owner, '-C', folder, '-rf', file, `./${owned.path}`]);
}

async function digestOf(file) {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return hash.digest('hex');
}

function write(file, value) {
  writeFileSync(file, JSON.stringify(value));
}
