import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { PATHS, pathTo } from '../proto/paths.js';
import { type EncodingSite, encodingSite, writeNotes } from './encoding-site.js';
import type { Measurement } from './measurement.js';
import { threadCounts } from './threads.js';

const MAIN = fileURLToPath(new URL('../services/cli/main.js', import.meta.url));
/** Of the large job; more sentences than an encoder holds at once. */
const NOTES = Number(process.env.TACET_BENCH_NOTES ?? 20_000);
/** Jobs of these parts of it come first: memory must not grow with the notes. */
const SHARES = [4, 2, 1];
const PAUSE_MS = 5;
const KIBIBYTE = 1024;

interface Job {
  readonly state: string;
  readonly progress: { readonly step: string; readonly done: number } | null;
  readonly report: { readonly released: number; readonly tokens: number };
  /** Why it failed. */
  readonly problem: { readonly code: string; readonly detail: string } | null;
}

/** What was seen of a process while it encoded. */
interface Observed {
  readonly latenciesMs: number[];
  readonly residentBytes: number[];
  readonly milliseconds: number;
  readonly tokens: number;
}

/**
 * A real encoder in a process of its own, over a large directory of invented notes: its answers and its
 * memory. No corpus has so many notes, and only a site of invented ones has entities for theirs.
 */
export async function* serviceRows(): AsyncGenerator<Measurement> {
  const site = await encodingSite('invented');
  try {
    let observed: Observed | undefined;
    for (const share of SHARES) {
      const notes = Math.round(NOTES / share);
      observed = await observe(site, notes);
      yield* memoryRows(notes, observed);
    }
    yield* jobRows(observed as Observed);
  } finally {
    site.remove();
  }
}

function jobRows({ latenciesMs, milliseconds, tokens }: Observed): Measurement[] {
  const latency = (name: string, share: number): Measurement => ({
    ...of(`/livez while it encodes, ${name}`),
    milliseconds: quantile(latenciesMs, share),
    rate: latenciesMs.length,
    unit: 'answers',
  });
  return [
    {
      ...of('a service, large job'),
      milliseconds,
      rate: (tokens / milliseconds) * 1e3,
      unit: 'tokens/s',
    },
    latency('median', 0.5),
    latency('99th percentile', 0.99),
    latency('longest', 1),
  ];
}

/** Medians over the middle and the last fifth of a job, and the most at any time. */
function memoryRows(notes: number, { residentBytes, milliseconds }: Observed): Measurement[] {
  const fifth = (nth: number) => {
    const [from, to] = [nth - 1, nth].map((n) => Math.floor((residentBytes.length * n) / 5));
    return quantile(residentBytes.slice(from, to), 0.5);
  };
  const values = {
    'in the middle': fifth(3),
    'at the end': fifth(5),
    'at most': Math.max(...residentBytes),
  };
  return Object.entries(values).map(([name, rate]) => ({
    ...of(`resident memory, ${notes} notes, ${name}`),
    ...{ milliseconds, rate, unit: 'B' },
  }));
}

function of(name: string) {
  return { bench: 'encode', name, threads: threadCounts().at(-1) as number, spread: 0 };
}

async function observe(site: EncodingSite, notes: number): Promise<Observed> {
  const input = writeNotes(join(site.root, `notes-${notes}`), notes);
  const { child, url } = await serve(site, input);
  const observed = { latenciesMs: [] as number[], residentBytes: [] as number[] };
  try {
    const start = performance.now();
    const response = await fetch(`${url}${PATHS.jobs}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ input: '.' }),
    });
    const { id } = (await response.json()) as { id: string };
    const ended = jobEnd(`${url}${pathTo(PATHS.jobEvents, { id })}`);
    let job: Job | undefined;
    void ended.then((end) => {
      job = end;
    });
    while (!job) {
      observed.latenciesMs.push(await latencyOf(`${url}/livez`));
      observed.residentBytes.push(residentBytesOf(child));
      await setTimeout(PAUSE_MS);
    }
    requireDone(job);
    return { ...observed, milliseconds: performance.now() - start, tokens: job.report.tokens };
  } finally {
    child.kill();
    await once(child, 'exit');
  }
}

/** Throws with the reason that the service gave. */
function requireDone({ state, problem }: Job): void {
  if (state === 'done') return;
  const reason = problem ? `: ${problem.code}: ${problem.detail}` : '';
  throw new Error(`the job ended as ${state}${reason}`);
}

async function serve(site: EncodingSite, input: string) {
  const options = [
    ...['--new-home', site.home(), '--input', input, '--port', '0', '--log-level', 'error'],
    ...['--model', site.representation, '--trust', site.publicKeyFile],
    ...['--embeddings', site.embeddings],
  ];
  const child = spawn(
    process.execPath,
    ['--no-warnings', MAIN, '--json', 'encoder', 'serve', ...options],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, TACET_CACHE: site.cache },
    },
  );
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  const { encoder: url } = JSON.parse(line) as { encoder: string };
  return { child, url };
}

/** The last of the job's server-sent events. */
async function jobEnd(url: string): Promise<Job> {
  const events = await (await fetch(url)).text();
  const last = [...events.matchAll(/^data: (.*)$/gm)].at(-1)?.[1] ?? '{}';
  return JSON.parse(last) as Job;
}

function latencyOf(url: string): Promise<number> {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    get(url, (response) => {
      response.resume();
      response.once('end', () => resolve(performance.now() - start));
    }).once('error', reject);
  });
}

function residentBytesOf({ pid }: ChildProcess): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return KIBIBYTE * Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]);
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(share * (sorted.length - 1))] as number;
}
