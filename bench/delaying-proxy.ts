import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export interface DelayingProxy {
  readonly url: string;
  readonly requests: number;
  close(): void;
}

/** Passes HTTP requests on, each after so many milliseconds, as if its server stood far away. */
export async function startDelayingProxy(
  target: string,
  milliseconds: number,
): Promise<DelayingProxy> {
  const { hostname, port } = new URL(target);
  const agent = new Agent({ keepAlive: true });
  let requests = 0;
  const server = createServer(async (incoming, response) => {
    requests++;
    await delay(milliseconds);
    const { method, url: path, headers } = incoming;
    const outgoing = request({ agent, hostname, port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    outgoing.on('continue', () => response.writeContinue());
    incoming.pipe(outgoing);
  });
  server.on('checkContinue', (incoming, response) => server.emit('request', incoming, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get requests() {
      return requests;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
      agent.destroy();
    },
  };
}
