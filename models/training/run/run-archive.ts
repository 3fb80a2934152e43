import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { DraftFile } from '../../../platform/files/draft-file.js';
import { makeFolders } from '../../../platform/files/make-folders.js';
import { TacetError } from '../../../proto/errors.js';
import { requireJson } from '../../../proto/json-text.js';
import { COUNT } from '../../../proto/schemas.js';
import { Type } from '../../../proto/typebox.js';
import { closedObject } from '../../../proto/typed-schema.js';
import { validator } from '../../../proto/validator.js';

/** What a run goes on from: its configuration, its metrics, the newest checkpoint of each stage. */
const MEMBER =
  '^(config\\.json|metrics\\.jsonl|checkpoints/[A-Za-z0-9-]{1,100}\\.(json|safetensors))$';
const FIRST_LINE = 'tacet-run-1\n';
const LENGTH_BYTES = 4;
const MAX_LIST_BYTES = 1 << 16;

const LIST = Type.Array(closedObject({ path: Type.String({ pattern: MEMBER }), bytes: COUNT }), {
  minItems: 1,
  maxItems: 200,
});
const checkList = validator(LIST, 'checkpoint-invalid', 'the archive of a run');

/** A file and what it is known by. */
export interface RunArchive {
  /** SHA-256, in hex. */
  readonly digest: string;
  readonly bytes: number;
}

/**
 * Writes what a run goes on from to one file, so that it can go on elsewhere: `tacet-run-1` and a newline, the length
 * of the list of members (uint32, little endian), that list as JSON, `[{path, bytes}]`, and their bytes in its order.
 * Nothing may write to the run meanwhile. Throws as `DraftFile` does.
 */
export async function packRun(directory: string, file: string): Promise<RunArchive> {
  const members = await membersOf(directory);
  const list = Buffer.from(JSON.stringify(members));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(list.length);
  const hash = createHash('sha256');
  const draft = await DraftFile.create(file, { isPrivate: true });
  let bytes = 0;
  const add = async (part: Uint8Array) => {
    hash.update(part);
    bytes += part.length;
    await draft.write(part);
  };
  try {
    for (const part of [Buffer.from(FIRST_LINE), length, list]) await add(part);
    for (const member of members)
      for await (const part of createReadStream(path.join(directory, member.path))) await add(part);
    await draft.commit();
  } finally {
    await draft.discard().catch(() => {});
  }
  return { digest: hash.digest('hex'), bytes };
}

/**
 * Puts the files of an archive into a new directory, where the run can be resumed. Throws `checkpoint-invalid` where it
 * is not one, and as files do.
 */
export async function unpackRun(file: string, directory: string): Promise<void> {
  const source = await open(file, 'r');
  try {
    const { members, start } = await readList(source, file);
    const { size } = await source.stat();
    if (start + members.reduce((sum, { bytes }) => sum + bytes, 0) !== size)
      throw archiveInvalid(file, 'has another length than its list says');
    makeFolders(path.join(directory, 'checkpoints'), 0o700);
    let at = start;
    for (const { path: name, bytes } of members) {
      const target = await open(path.join(directory, name), 'wx', 0o600);
      const part = bytes === 0 ? [] : createReadStream(file, { start: at, end: at + bytes - 1 });
      await pipeline(part, target.createWriteStream());
      at += bytes;
    }
  } finally {
    await source.close();
  }
}

type Member = Readonly<{ path: string; bytes: number }>;

async function membersOf(directory: string): Promise<Member[]> {
  const inside = await readdir(path.join(directory, 'checkpoints'));
  const names = [
    ...['config.json', 'metrics.jsonl'],
    ...inside.sort().map((name) => `checkpoints/${name}`),
  ].filter((name) => new RegExp(MEMBER).test(name));
  const members: Member[] = [];
  for (const name of names) {
    const { size: bytes } = await stat(path.join(directory, name));
    members.push({ path: name, bytes });
  }
  return members;
}

async function readList(
  source: Awaited<ReturnType<typeof open>>,
  file: string,
): Promise<{ members: readonly Member[]; start: number }> {
  const head = Buffer.alloc(FIRST_LINE.length + LENGTH_BYTES);
  const { bytesRead } = await source.read(head, 0, head.length, 0);
  if (bytesRead < head.length || head.toString('latin1', 0, FIRST_LINE.length) !== FIRST_LINE)
    throw archiveInvalid(file, 'is no archive of a run');
  const length = head.readUInt32LE(FIRST_LINE.length);
  if (length > MAX_LIST_BYTES) throw archiveInvalid(file, 'has too long a list');
  const text = Buffer.alloc(length);
  const list = await source.read(text, 0, length, head.length);
  if (list.bytesRead < length) throw archiveInvalid(file, 'breaks off');
  const members = checkList(requireJson(text, 'checkpoint-invalid', `${file}: expected JSON`));
  const names = new Set(members.map((member) => member.path));
  if (names.size < members.length) throw archiveInvalid(file, 'names a file twice');
  if (!names.has('config.json')) throw archiveInvalid(file, 'lacks config.json');
  return { members, start: head.length + length };
}

function archiveInvalid(file: string, fault: string): TacetError {
  return new TacetError('checkpoint-invalid', `${file} ${fault}; go on from an earlier one`);
}
