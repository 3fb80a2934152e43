import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a server of PostgreSQL that can be cut. */
export interface CutConnection {
  readonly port: number;
  /** From now on a connection is cut when a COMMIT passes, which still arrives where `arrives`; once. */
  cutAtCommit(arrives: boolean): void;
  close(): void;
}

export async function cutConnection(server: {
  host: string;
  port: number;
}): Promise<CutConnection> {
  let cut: { arrives: boolean } | undefined;
  const sockets = new Set<Socket>();
  const proxy = createServer((client) => {
    const upstream = connect(server);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        client.destroy();
        upstream.destroy();
      });
    }
    upstream.on('data', (bytes) => client.write(bytes));
    client.on('data', (bytes) => {
      if (!cut || !bytes.includes('COMMIT\0')) {
        upstream.write(bytes);
        return;
      }
      const { arrives } = cut;
      cut = undefined;
      upstream.removeAllListeners('data');
      // The answer proves that it was done, and never reaches who asked.
      if (!arrives) client.destroy();
      else
        upstream
          .on('data', (answer) => answer.includes('COMMIT\0') && client.destroy())
          .write(bytes);
    });
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    port: (proxy.address() as AddressInfo).port,
    cutAtCommit: (arrives) => {
      cut = { arrives };
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    },
  };
}
