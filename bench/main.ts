import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { nativeFunction } from '../models/tensor/addon.js';
import { TacetError } from '../proto/errors.js';
import { attentionBench } from './attention.js';
import { catalogBench } from './catalog.js';
import { encodeBench } from './encode.js';
import { epochBench } from './epoch.js';
import { farBlobsBench } from './far-blobs.js';
import { forwardBench } from './forward.js';
import { ingestChecksBench } from './ingest-checks.js';
import { lstmBench } from './lstm.js';
import { matmulBench } from './matmul.js';
import type { Bench, BenchOptions, Measurement } from './measurement.js';
import { opsBench } from './ops.js';
import { poolBench, sharedPoolBench } from './pool.js';
import { poolClientsBench } from './pool-clients.js';
import { poolPagesBench } from './pool-pages.js';
import { readingMemoryBench } from './reading-memory.js';
import { registryPagesBench } from './registry-pages.js';
import { replicasBench } from './replicas.js';
import { heading, rowText } from './table.js';
import { textBench } from './text.js';
import { trainingStepBench } from './training-step.js';

const BENCHES: Readonly<Record<string, Bench>> = {
  attention: attentionBench,
  catalog: catalogBench,
  encode: encodeBench,
  epoch: epochBench,
  'far-blobs': farBlobsBench,
  forward: forwardBench,
  'ingest-checks': ingestChecksBench,
  lstm: lstmBench,
  matmul: matmulBench,
  ops: opsBench,
  text: textBench,
  pool: poolBench,
  'pool-clients': poolClientsBench,
  'pool-pages': poolPagesBench,
  'registry-pages': registryPagesBench,
  'shared-pool': sharedPoolBench,
  'reading-memory': readingMemoryBench,
  replicas: replicasBench,
  'training-step': trainingStepBench,
};

/**
 * `main.js [--json FILE] [--corpus DIR --embeddings FILE --scheme NAME] [--documents N] [--python FILE]
 * [BENCH...]`:
 * all benches when none is named. Each row is printed, and stands in the JSON, as soon as it is measured.
 */
async function main(): Promise<void> {
  const { names, json, options } = commandLine();
  const results: Measurement[] = [];
  process.stdout.write(`${heading()}\n`);
  for (const name of names)
    for await (const measured of BENCHES[name]?.(options) ?? []) {
      process.stdout.write(`${rowText(measured)}\n`);
      results.push(measured);
      if (json !== undefined) writeReport(json, results);
    }
}

function writeReport(file: string, results: readonly Measurement[]): void {
  const report = { isa: nativeFunction('isa')(), node: process.version, results };
  writeFileSync(file, `${JSON.stringify(report, undefined, 2)}\n`);
}

interface CommandLine {
  readonly names: readonly string[];
  readonly json: string | undefined;
  readonly options: BenchOptions;
}

function commandLine(): CommandLine {
  const known = Object.keys(BENCHES);
  const { values, positionals } = parse();
  const unknown = positionals.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new TacetError('usage', `there is no bench '${unknown}'; choose of ${known.join(', ')}`);
  }
  const { json, documents, ...options } = values;
  return {
    names: positionals.length > 0 ? positionals : known,
    json,
    options: { ...options, documents: documents === undefined ? undefined : count(documents) },
  };
}

function count(text: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new TacetError('usage', `--documents is '${text}'; expected a whole number from 1`);
}

function parse() {
  const string = { type: 'string' } as const;
  const options = {
    json: string,
    corpus: string,
    embeddings: string,
    scheme: string,
    documents: string,
    python: string,
  };
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (cause) {
    throw new TacetError('usage', (cause as Error).message, { cause });
  }
}

try {
  await main();
} catch (error) {
  if (!(error instanceof TacetError)) throw error;
  process.stderr.write(`bench: ${error.code}: ${error.message}\n`);
  process.exitCode = error.exit;
}
