import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { Random } from '../../../models/tensor/random.js';

/** Stands before servers: each connection goes to any of them that takes it. Nobody asks them whether they are well. */
export class Balancer {
  readonly #random = new Random(1);
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((client) => this.#join(client));

  /** `addresses` are asked for with each connection. */
  constructor(private readonly addresses: () => readonly string[]) {}

  async listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as { port: number }).port}`;
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  async #join(client: Socket): Promise<void> {
    this.#hold(client);
    const addresses = this.addresses();
    const first = this.#random.integer(addresses.length);
    for (let k = 0; k < addresses.length; k++) {
      const { hostname, port } = new URL(addresses[(first + k) % addresses.length] as string);
      const server = connect(Number(port), hostname);
      this.#hold(server);
      if (!(await once(server, 'connect').catch(() => undefined))) continue;
      client.pipe(server).pipe(client);
      client.once('close', () => server.destroy());
      server.once('close', () => client.destroy());
      return;
    }
    client.destroy();
  }

  #hold(socket: Socket): void {
    this.#sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => this.#sockets.delete(socket));
  }
}
