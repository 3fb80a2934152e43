import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { requireFree } from '../../../models/text/corpus/output-file.js';
import { writeAtomically } from '../../../platform/files/draft-file.js';
import { TacetError } from '../../../proto/errors.js';
import { contextOf } from '../context.js';

/** The suite runs in a process of its own: it chooses backends, threads and memory as it likes. */
const SUITE = fileURLToPath(new URL('../../../bench/main.js', import.meta.url));
const PASSED_ON = ['corpus', 'embeddings', 'scheme', 'documents', 'python'] as const;

type Options = Readonly<Partial<Record<(typeof PASSED_ON)[number] | 'out', string>>>;

/** `tacet bench`: speed against peers and the machine's own peaks, as `make bench` prints it. */
export function benchCommand(): Command {
  return new Command('bench')
    .description('measure speed against peers; all benches where none is named')
    .argument('[bench...]', 'forward, training-step, matmul, lstm, ops, epoch, text, pool, ...')
    .option('--out <file>', 'also write the measurements there, a new file, as JSON')
    .option(
      '--corpus <dir>',
      'labelled notes for forward, training-step and epoch; else invented ones',
    )
    .option('--embeddings <file>', 'word vectors in the language of the corpus')
    .option('--scheme <name>', 'label scheme of the corpus')
    .option('--documents <n>', 'the first documents alone, for epoch')
    .option('--python <file>', 'a Python with PyTorch to compare training-step with')
    .action(bench);
}

async function bench(names: string[], options: Options, command: Command): Promise<void> {
  const { signal, result } = contextOf(command);
  const { out } = options;
  if (out !== undefined) await requireFree(out);
  const directory = await mkdtemp(path.join(tmpdir(), 'tacet-bench-'));
  try {
    const json = path.join(directory, 'measurements.json');
    const passedOn = PASSED_ON.flatMap((name) => {
      const value = options[name];
      return value === undefined ? [] : [`--${name}`, value];
    });
    const table = await runSuite(['--json', json, ...passedOn, '--', ...names], signal);
    const measurements = await readFile(json, 'utf8');
    if (out !== undefined) {
      await requireFree(out);
      await writeAtomically(out, measurements);
    }
    result(JSON.parse(measurements), table.trimEnd());
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** What the suite prints. Throws the error that it ends with. */
async function runSuite(words: readonly string[], signal: AbortSignal): Promise<string> {
  const suite = spawn(process.execPath, ['--no-warnings', SUITE, ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stop = () => suite.kill();
  signal.addEventListener('abort', stop, { once: true });
  const [output, complaints] = ['', ''].map(() => [] as Buffer[]) as [Buffer[], Buffer[]];
  suite.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  suite.stderr.on('data', (chunk: Buffer) => complaints.push(chunk));
  const status = await new Promise<number | null>((resolve, reject) => {
    suite.once('error', reject);
    suite.once('close', resolve);
  });
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
  const complaint = Buffer.concat(complaints).toString();
  if (status === 0) {
    process.stderr.write(complaint);
    return Buffer.concat(output).toString();
  }
  const last = complaint.trimEnd().split('\n').at(-1) ?? '';
  throw new TacetError(status === 2 ? 'usage' : 'internal', last.replace(/^bench: \S+: /, ''));
}
