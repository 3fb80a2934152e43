import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { endAfterTests } from '../left-over.js';

const MAIN = fileURLToPath(new URL('../../../services/cli/main.js', import.meta.url));

export interface EncoderProcess {
  readonly url: string;
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  /** What it wrote to standard error so far. */
  said(): string;
}

/** `tacet encoder serve` as a process of its own, once it listens; killed after the tests of the file. */
export async function startEncoder(
  options: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<EncoderProcess> {
  const args = ['--no-warnings', MAIN, '--json', 'encoder', 'serve', '--log-level', 'warn'];
  const child = spawn(process.execPath, [...args, ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_OPTIONS: '', ...environment },
  });
  endAfterTests(() => child.kill('SIGKILL'));
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const ended = once(child, 'exit').then(() => {
    throw new Error(`the encoder ended before it listened: ${said}`);
  });
  const listening = once(createInterface({ input: child.stdout }), 'line');
  const [line] = await Promise.race([listening, ended]);
  ended.catch(() => {});
  return { url: JSON.parse(line).encoder, child, said: () => said };
}
