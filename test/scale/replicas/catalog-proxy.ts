import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** Whether the server of the catalog learns of the commit whose answer is lost. */
export type LostCommit = 'before it came' | 'after it was done';

/** A simple query of PostgreSQL's protocol 3.0: its type, its length, its text, a zero. */
const COMMIT = Buffer.from('Q\0\0\0\x0bCOMMIT\0', 'latin1');

/** Stands between servers and PostgreSQL, and breaks a connection in the middle of a commit where it is asked to. */
export class CatalogProxy {
  /** Of those that were asked for. */
  broken = 0;
  #next: LostCommit | undefined;
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((client) => this.#join(client));

  private constructor(private readonly target: URL) {}

  static async before(target: string): Promise<CatalogProxy> {
    const proxy = new CatalogProxy(new URL(target));
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  /** Leads here instead of to the server itself. */
  through(place: string): string {
    const url = new URL(place);
    url.host = `127.0.0.1:${(this.#server.address() as { port: number }).port}`;
    return url.href;
  }

  /** The next commit of anyone loses its connection. */
  breakNext(lost: LostCommit): void {
    this.#next = lost;
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #join(client: Socket): void {
    const server = connect(Number(this.target.port), this.target.hostname);
    const end = () => {
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', end);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        end();
      });
    }
    let isCut = false;
    client.on('data', (bytes) => {
      const lost = bytes.includes(COMMIT) ? this.#next : undefined;
      if (lost) {
        this.#next = undefined;
        this.broken++;
        isCut = true;
        if (lost === 'before it came') return end();
      }
      server.write(bytes);
    });
    server.on('data', (bytes) => {
      if (isCut) end();
      else client.write(bytes);
    });
  }
}
