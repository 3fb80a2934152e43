import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { freePort } from '../services/free-port.js';

const MAIN = fileURLToPath(new URL('../../services/cli/main.js', import.meta.url));
const SERVING = /^tacet (?:encoder )?serve\b/;
/** What the documents say is done with the servers stopped. */
const WITHOUT_SERVERS = /^tacet store restore\b/;

interface Ports {
  readonly registry: number;
  readonly pool: number;
  readonly encoder: number;
}

/**
 * Does what documents say, in a folder of its own that is empty at first, with `tacet` on the path and a
 * home folder to match. Servers run in the background until another of their kind is started, on free
 * ports in place of those that the documents name.
 */
export class Reader {
  /** What the documents call `$NAME`. */
  readonly variables: Record<string, string> = {};
  readonly #servers = new Map<string, ChildProcess>();
  #folder: string;

  private constructor(
    readonly root: string,
    private readonly ports: Ports,
  ) {
    this.#folder = path.join(root, 'empty');
  }

  static async create(): Promise<Reader> {
    const root = await mkdtemp(path.join(tmpdir(), 'tacet-documentation-'));
    await mkdir(path.join(root, 'bin'));
    await mkdir(path.join(root, 'empty'));
    const tacet = path.join(root, 'bin', 'tacet');
    await writeFile(tacet, `#!/bin/sh\nexec '${process.execPath}' --no-warnings '${MAIN}' "$@"\n`);
    await chmod(tacet, 0o755);
    return new Reader(root, await freePorts());
  }

  get folder(): string {
    return this.#folder;
  }

  /** Goes on in an empty folder, where what came before is not. */
  async enter(folder: string): Promise<void> {
    this.#folder = path.join(this.root, folder);
    await mkdir(this.#folder);
  }

  url(server: keyof Ports): string {
    return `http://127.0.0.1:${this.ports[server]}`;
  }

  async save(file: string, text: string): Promise<void> {
    await writeFile(path.join(this.#folder, file), `${text}\n`);
  }

  async read(file: string): Promise<string> {
    return readFile(path.join(this.#folder, file), 'utf8');
  }

  /** A folder, with all in it. */
  async remove(folder: string): Promise<void> {
    await rm(path.join(this.#folder, folder), { recursive: true });
  }

  /** Runs a command to its end, or until it serves; what it printed. Throws where it fails. */
  async run(printed: string): Promise<string> {
    const command = this.#onFreePorts(printed);
    if (SERVING.test(command)) return this.#serve(command);
    if (WITHOUT_SERVERS.test(command)) await this.stopServers();
    const child = this.#spawn(command);
    const output = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr'] as const) {
      child[stream]?.on('data', (chunk) => {
        output[stream] += chunk;
      });
    }
    const [code] = await once(child, 'close');
    if (code === 0) return output.stdout;
    const said = `${output.stdout}${output.stderr}`.slice(-4000);
    throw new Error(`${printed}\nended with ${code}:\n${said}`);
  }

  async stopServers(): Promise<void> {
    for (const kind of this.#servers.keys()) await this.#stop(kind);
  }

  async end(): Promise<void> {
    await this.stopServers();
    await rm(this.root, { recursive: true });
  }

  async #serve(command: string): Promise<string> {
    const [kind] = SERVING.exec(command) as RegExpExecArray;
    await this.#stop(kind);
    const port = kind === 'tacet serve' ? this.ports.registry : this.ports.encoder;
    const child = this.#spawn(`exec ${command} --port ${port} --log-level error`);
    this.#servers.set(kind, child);
    let said = '';
    child.stderr?.on('data', (chunk) => {
      said += chunk;
    });
    if (!child.stdout) throw new Error('a server has no standard output');
    for await (const line of createInterface(child.stdout)) {
      if (line.includes('http')) return line;
    }
    throw new Error(`${command}\nended before it served:\n${said}`);
  }

  async #stop(kind: string): Promise<void> {
    const child = this.#servers.get(kind);
    this.#servers.delete(kind);
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    await exit;
  }

  #spawn(command: string): ChildProcess {
    const { PATH } = process.env;
    return spawn('bash', ['-c', command], {
      cwd: this.#folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        ...this.variables,
        NODE_OPTIONS: '',
        HOME: this.root,
        XDG_STATE_HOME: path.join(this.root, 'state'),
        XDG_DATA_HOME: path.join(this.root, 'data'),
        PATH: `${path.join(this.root, 'bin')}:${PATH}`,
      },
    });
  }

  #onFreePorts(command: string): string {
    const { registry, pool, encoder } = this.ports;
    return command
      .replaceAll('127.0.0.1:7420', `127.0.0.1:${registry}`)
      .replaceAll('127.0.0.1:7421', `127.0.0.1:${pool}`)
      .replaceAll('127.0.0.1:7430', `127.0.0.1:${encoder}`);
  }
}

/** The pool's is the registry's and one, as `tacet serve --port` has it. */
async function freePorts(): Promise<Ports> {
  for (;;) {
    const [registry, encoder] = await Promise.all([freePort(), freePort()]);
    const pool = registry && (await freePort(registry + 1));
    if (registry && pool && encoder && encoder !== pool) return { registry, pool, encoder };
  }
}
