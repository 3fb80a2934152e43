import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { TacetError } from '../../../proto/errors.js';

const COMMAND = fileURLToPath(new URL('../../cli/serve-for-parent.js', import.meta.url));

/** A server of ours in a process of its own, which ends with this one however that ends. */
export class ChildServer {
  private constructor(
    private readonly child: ChildProcess,
    /** What it said first: the addresses that it bound. */
    readonly addresses: unknown,
  ) {}

  /** Runs `tacet ARGUMENTS` until it has said where it listens. Throws `server-failed`. */
  static async start(args: readonly string[]): Promise<ChildServer> {
    const child = spawn(process.execPath, [COMMAND, '--json', ...args], {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    return new ChildServer(child, JSON.parse(await firstLine(child)));
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill('SIGTERM');
    await once(this.child, 'exit');
  }
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new TacetError('internal', 'the server has no standard output');
  for await (const line of createInterface(child.stdout)) return line;
  throw new TacetError('server-failed', 'the server ended before it was ready');
}
