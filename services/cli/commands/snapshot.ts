import { pipeline } from 'node:stream/promises';
import { Command, Option } from 'commander';
import { requireFree } from '../../../models/text/corpus/output-file.js';
import { DraftFile } from '../../../platform/files/draft-file.js';
import type { Provenance, Snapshot, SnapshotDiff } from '../../../pool-store/snapshots/snapshot.js';
import type { TrainingRun } from '../../../pool-store/training/training-runs.js';
import {
  ENTITY_TREATMENTS,
  type EntityTreatment,
  treatmentText,
} from '../../../proto/entity-treatment.js';
import { PATHS, pathTo } from '../../../proto/paths.js';
import { type SegmentStream, writeSegmentStream } from '../../../proto/segment.js';
import { fetchSnapshot, requireSameSnapshot } from '../../client/fetched-snapshot.js';
import type { Croissant } from '../../pool/croissant.js';
import { contextOf } from '../context.js';
import { clientFor, type TokenOptions, withTokenOptions } from '../credentials.js';
import { wholeNumber } from '../whole-number.js';

interface PoolOptions extends TokenOptions {
  readonly pool: string;
}

interface CreateOptions extends PoolOptions {
  readonly model?: string;
  readonly labelScheme?: string;
  readonly entities?: EntityTreatment;
  readonly keptTypes?: readonly string[];
  readonly institutions?: readonly string[];
  readonly from?: string;
  readonly until?: string;
}

interface ReadOptions extends PoolOptions {
  readonly seed: number;
  readonly format: string;
  readonly out?: string;
}

/** `tacet snapshot`: frozen lists of what a pool holds, for training and analysis. */
export function snapshotCommand(): Command {
  const snapshot = new Command('snapshot').description('freeze and read what a pool holds');
  withPool(snapshot.command('create'))
    .description('freeze the contributions of one model; the same ones give the same snapshot')
    .option('--model <digest>', 'digest of the model that encoded them')
    .option('--label-scheme <digest>', 'digest of their label scheme')
    .addOption(
      new Option(
        '--entities <what>',
        'only those whose labelled entities were replaced, or kept',
      ).choices(ENTITY_TREATMENTS),
    )
    .option(
      '--kept-types <type...>',
      'only those that kept entities of no other types than these where the rest was replaced',
    )
    .option('--institutions <name...>', 'only those of these institutions')
    .option('--from <time>', 'only those received at this time or later, e.g. 2030-01-31T00:00:00Z')
    .option('--until <time>', 'only those received before this time')
    .action(create);
  withPool(snapshot.command('list')).description('list snapshots').action(list);
  withPool(snapshot.command('show <id>'))
    .description('what a snapshot holds, and the signed contributions that it comes from')
    .action(show);
  withPool(snapshot.command('croissant <id>'))
    .description('what a snapshot holds, in the JSON-LD of Croissant, for catalogs of data sets')
    .action(croissant);
  withPool(snapshot.command('diff <first> <second>'))
    .description('contributions that the second snapshot holds more (+) and less (-)')
    .action(diff);
  withPool(snapshot.command('runs <id>'))
    .description('the training runs that used a snapshot')
    .action(runs);
  withPool(snapshot.command('read <id>'))
    .description('write the sentences of a snapshot, shuffled by the seed')
    .option('--seed <number>', 'the same seed gives the same order', wholeNumber(0), 0)
    .addOption(
      new Option('--format <format>', 'how to write them')
        .choices(['protobuf', 'arrow', 'ndjson'])
        .default('ndjson'),
    )
    .option(
      '--out <file>',
      'a new file; by default they go to standard output, in this format also with --json',
    )
    .action(read);
  return snapshot;
}

async function create(options: CreateOptions, command: Command): Promise<void> {
  const { signal, result } = contextOf(command);
  const { model, labelScheme, entities, keptTypes, institutions, from, until } = options;
  const pool = await clientFor(options.pool, options);
  const filter = { model, labelScheme, entities, keptTypes, institutions, from, until };
  const snapshot = await pool.json<Snapshot>('POST', PATHS.snapshots, filter, { signal });
  result(snapshot, lineOf(snapshot));
}

async function list(options: PoolOptions, command: Command): Promise<void> {
  const { signal, result } = contextOf(command);
  const pool = await clientFor(options.pool, options);
  const snapshots = await pool.list<Snapshot>(PATHS.snapshots, { signal });
  result(snapshots, snapshots.length > 0 ? snapshots.map(lineOf) : 'the pool holds no snapshots');
}

async function show(id: string, options: PoolOptions, command: Command): Promise<void> {
  const { signal, result } = contextOf(command);
  const pool = await clientFor(options.pool, options);
  const snapshot = await fetchSnapshot(pool, id, { signal });
  result(snapshot, [lineOf(snapshot), ...snapshot.provenance.map(provenanceLine)]);
}

async function croissant(id: string, options: PoolOptions, command: Command): Promise<void> {
  const { signal, result } = contextOf(command);
  const pool = await clientFor(options.pool, options);
  const path = pathTo(PATHS.snapshotCroissant, { id });
  const found = await pool.json<Croissant>('GET', path, undefined, { signal });
  const absolute = (address: string) => new URL(address, new URL(path, options.pool)).href;
  const described = {
    ...found,
    url: absolute(found.url),
    distribution: found.distribution.map((file) => ({
      ...file,
      contentUrl: absolute(file.contentUrl),
    })),
  };
  result(described, JSON.stringify(described, null, 2));
}

async function diff(
  first: string,
  second: string,
  options: PoolOptions,
  command: Command,
): Promise<void> {
  const { signal, result } = contextOf(command);
  const pool = await clientFor(options.pool, options);
  const found = await pool.json<SnapshotDiff>(
    'GET',
    pathTo(PATHS.snapshotDifference, { id: first, other: second }),
    undefined,
    { signal },
  );
  const { added, removed } = found;
  const lines = [
    ...added.map((one) => `+ ${provenanceLine(one)}`),
    ...removed.map((one) => `- ${provenanceLine(one)}`),
  ];
  result(found, lines.length > 0 ? lines : 'they hold the same');
}

async function runs(id: string, options: PoolOptions, command: Command): Promise<void> {
  const { signal, result } = contextOf(command);
  const pool = await clientFor(options.pool, options);
  const path = pathTo(PATHS.snapshotRuns, { id });
  const found = await pool.list<TrainingRun>(path, { signal });
  const lines = found.map(
    ({ run, name, version, trainer, begun }) => `${run}  ${name} ${version}, ${trainer}, ${begun}`,
  );
  result(found, lines.length > 0 ? lines : 'no training run used it');
}

function provenanceLine(provenance: Provenance): string {
  const { contribution, institution, keyId, received, withdrawn, copies, segments } = provenance;
  const { keptTypes = [] } = provenance;
  const kept = keptTypes.length === 0 ? '' : `, ${keptTypes.join(', ')} kept`;
  const end = withdrawn === null ? '' : `, withdrawn ${withdrawn}`;
  return `${contribution}  ${institution}, ${segments.length} segments${copiesText([copies ?? 1])}${kept}, ${received}, key ${keyId}${end}`;
}

/** Sentences are checked as they pass, so a stream that breaks off is never taken for a whole one. */
async function read(id: string, options: ReadOptions, command: Command): Promise<void> {
  const { signal, result } = contextOf(command);
  const { seed, format, out } = options;
  const pool = await clientFor(options.pool, options);
  const snapshot = await fetchSnapshot(pool, id, { signal });
  if (out !== undefined) await requireFree(out);
  const bytes =
    format === 'protobuf'
      ? checkedSegment(await pool.sentences(id, { seed, signal }), snapshot)
      : pool.sentenceBytes(id, format, { seed, signal });
  if (out === undefined) return pipeline(bytes, process.stdout, { signal, end: false });
  const written = await writeWhole(out, bytes, signal);
  const { sentenceCount: sentences } = snapshot;
  result(
    { out, sentences, format, bytes: written },
    `${sentences} sentences written to ${out}: ${format}, ${written} bytes`,
  );
}

/** A new file that is there when all of it is; returns its length in bytes. */
async function writeWhole(
  path: string,
  bytes: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<number> {
  const file = await DraftFile.create(path, { signal });
  try {
    let written = 0;
    for await (const chunk of bytes) {
      await file.write(chunk);
      written += chunk.length;
    }
    await requireFree(path);
    await file.commit();
    return written;
  } finally {
    await file.discard().catch(() => {});
  }
}

function checkedSegment(
  { header, sentences }: SegmentStream,
  snapshot: Snapshot,
): AsyncGenerator<Uint8Array> {
  requireSameSnapshot(header, snapshot);
  return writeSegmentStream(header, sentences());
}

/** Where notes left several times. */
function copiesText(copies: readonly number[]): string {
  if (copies.every((each) => each === 1)) return '';
  return `, each note ${copies.join(' or ')} times`;
}

function lineOf(snapshot: Snapshot): string {
  const { id, segments, sentenceCount, tokens, entities, institutions, withdrawn } = snapshot;
  // A pool of an earlier version says nothing of them.
  const { parts = [], keptTypes } = snapshot;
  const treatment = treatmentText(entities, keptTypes);
  const counts = `${segments.length} segments, ${sentenceCount} sentences, ${tokens} tokens, entities ${treatment}${copiesText(parts.map(({ copies }) => copies))}`;
  const from = `from ${institutions.join(', ')}`;
  return `${id}  ${counts}  ${from}${withdrawn ? '  withdrawn in part: unreadable' : ''}`;
}

function withPool(command: Command): Command {
  return withTokenOptions(command.requiredOption('--pool <url>', 'address of the pool'));
}
