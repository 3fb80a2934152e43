import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const POLL_MS = 2;
const WRITE_ONLY = 1;
const READ_WRITE = 2;
/** State of a listening socket in /proc/net/tcp. */
const LISTENING = '0A';

export interface Seen {
  /** Files that a process of the tree held open for writing. */
  readonly written: ReadonlySet<string>;
  /** Where its sockets led, as `address:port` in the kernel's hexadecimal. */
  readonly peers: ReadonlySet<string>;
  /** Processes of the tree. */
  readonly processes: ReadonlySet<number>;
  /** What was on their command lines and in their environments. */
  readonly surroundings: readonly Buffer[];
}

/** Looks at a process and all its descendants in /proc until stopped. Linux alone. */
export function watchProcess(pid: number): { stop(): Seen } {
  const written = new Set<string>();
  const peers = new Set<string>();
  const processes = new Set<number>();
  const surroundings: Buffer[] = [];
  const look = () => {
    for (const each of treeOf(pid)) {
      if (!processes.has(each)) {
        processes.add(each);
        surroundings.push(contentOf(`/proc/${each}/cmdline`), contentOf(`/proc/${each}/environ`));
      }
      const sockets = new Set<string>();
      for (const fd of namesIn(`/proc/${each}/fd`)) {
        const target = linkOf(`/proc/${each}/fd/${fd}`);
        const socket = /^socket:\[(\d+)\]$/.exec(target)?.[1];
        if (socket) sockets.add(socket);
        else if (target.startsWith('/') && isWritable(each, fd)) written.add(target);
      }
      for (const peer of peersOf(each, sockets)) peers.add(peer);
    }
  };
  look();
  const timer = setInterval(look, POLL_MS);
  return {
    stop: () => {
      clearInterval(timer);
      return { written, peers, processes, surroundings };
    },
  };
}

function treeOf(pid: number): number[] {
  const children = namesIn(`/proc/${pid}/task`).flatMap((task) =>
    contentOf(`/proc/${pid}/task/${task}/children`)
      .toString()
      .split(' ')
      .filter(Boolean)
      .map(Number),
  );
  return [pid, ...children.flatMap(treeOf)];
}

function isWritable(pid: number, fd: string): boolean {
  const info = contentOf(`/proc/${pid}/fdinfo/${fd}`).toString();
  const flags = Number.parseInt(/flags:\s*([0-7]+)/.exec(info)?.[1] ?? '0', 8);
  return (flags & 3) === WRITE_ONLY || (flags & 3) === READ_WRITE;
}

function peersOf(pid: number, sockets: ReadonlySet<string>): string[] {
  return ['tcp', 'tcp6', 'udp', 'udp6'].flatMap((protocol) =>
    contentOf(`/proc/${pid}/net/${protocol}`)
      .toString()
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter((fields) => sockets.has(fields[9] ?? '') && fields[3] !== LISTENING)
      .map((fields) => `${protocol} ${fields[2]}`),
  );
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function contentOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    return Buffer.alloc(0);
  }
}

function linkOf(file: string): string {
  try {
    return readlinkSync(file);
  } catch {
    return '';
  }
}
