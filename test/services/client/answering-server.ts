import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

export interface Answered {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A server on this machine that answers whatever it is told to, and remembers what it was asked. */
export async function answeringServer(answer: (asked: Asked) => Answered) {
  const requests: Asked[] = [];
  const server = createServer((request, response) => {
    const asked = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
    };
    requests.push(asked);
    const { status, headers = {}, body = '' } = answer(asked);
    request.resume().once('end', () => response.writeHead(status, headers).end(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests: requests as readonly Asked[],
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
