import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { nativeFunction } from '../models/tensor/addon.js';
import { TacetError } from '../proto/errors.js';
import { encodeBench } from './encode.js';
import { epochBench } from './epoch.js';
import { forwardBench } from './forward.js';
import { ingestChecksBench } from './ingest-checks.js';
import { lstmBench } from './lstm.js';
import { matmulBench } from './matmul.js';
import type { Bench, Measurement } from './measurement.js';
import { opsBench } from './ops.js';
import { poolBench } from './pool.js';
import { poolClientsBench } from './pool-clients.js';
import { table } from './table.js';
import { textBench } from './text.js';
import { trainingStepBench } from './training-step.js';

const BENCHES: Readonly<Record<string, Bench>> = {
  encode: encodeBench,
  epoch: epochBench,
  forward: forwardBench,
  'ingest-checks': ingestChecksBench,
  lstm: lstmBench,
  matmul: matmulBench,
  ops: opsBench,
  text: textBench,
  pool: poolBench,
  'pool-clients': poolClientsBench,
  'training-step': trainingStepBench,
};

/** `main.js [--json FILE] [BENCH...]`: all benches when none is named. */
async function main(): Promise<void> {
  const { names, json } = commandLine();
  const results: Measurement[] = [];
  for (const name of names) results.push(...((await BENCHES[name]?.()) ?? []));
  process.stdout.write(`${table(results)}\n`);
  if (json === undefined) return;
  const report = { isa: nativeFunction('isa')(), node: process.version, results };
  writeFileSync(json, `${JSON.stringify(report, undefined, 2)}\n`);
}

function commandLine(): { names: string[]; json: string | undefined } {
  const known = Object.keys(BENCHES);
  const { values, positionals } = parse();
  const unknown = positionals.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new TacetError('usage', `there is no bench '${unknown}'; choose of ${known.join(', ')}`);
  }
  return { names: positionals.length > 0 ? positionals : known, json: values.json };
}

function parse() {
  try {
    return parseArgs({ options: { json: { type: 'string' } }, allowPositionals: true });
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
