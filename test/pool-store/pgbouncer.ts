import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

/** Whether PgBouncer is installed: on Debian, apt-get install pgbouncer. */
export const HAS_PGBOUNCER = isInstalled();

function isInstalled(): boolean {
  try {
    execFileSync('pgbouncer', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A PgBouncer that gives the connections to a server out by transactions. */
export class PgBouncer {
  private constructor(
    private readonly folder: string,
    private readonly process: ChildProcess,
    private readonly server: string,
    private readonly port: number,
  ) {}

  static async before(server: string): Promise<PgBouncer> {
    const { hostname, port: serverPort, username } = new URL(server);
    const folder = mkdtempSync(join(tmpdir(), 'tacet-pgbouncer-'));
    chmodSync(folder, 0o755);
    const port = await freePort();
    writeFileSync(join(folder, 'users'), `"${username}" ""\n`);
    writeFileSync(
      join(folder, 'pgbouncer.ini'),
      `[databases]
* = host=${hostname} port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${join(folder, 'users')}
pool_mode = transaction
default_pool_size = 3
ignore_startup_parameters = statement_timeout
`,
    );
    // It does not run as root.
    const as = process.getuid?.() === 0 ? ['-u', 'postgres'] : [];
    const child = spawn('pgbouncer', ['-q', ...as, join(folder, 'pgbouncer.ini')], {
      stdio: 'ignore',
    });
    const bouncer = new PgBouncer(folder, child, server, port);
    await bouncer.#ready();
    return bouncer;
  }

  /** The address of a database of the server, by way of this. */
  addressOf(database: string): string {
    const url = new URL(this.server);
    url.port = `${this.port}`;
    url.pathname = database;
    return url.href;
  }

  async stop(): Promise<void> {
    const ended = once(this.process, 'exit');
    this.process.kill('SIGKILL');
    await ended;
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #ready(): Promise<void> {
    for (let tries = 0; ; tries++) {
      const client = new pg.Client({ connectionString: this.addressOf('postgres') });
      try {
        await client.connect();
        await client.end();
        return;
      } catch (error) {
        if (tries === 100) throw error;
        await delay(100);
      }
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
