import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HostileServer {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Passes requests on to a genuine server and gives back its genuine answers, but for other paths than
 * were asked for: `swap` says which, with method and body as they came.
 */
export async function startHostileServer(
  genuine: string,
  swap: (path: string) => string,
  change: (path: string, answer: Buffer) => Uint8Array | string = (_, answer) => answer,
): Promise<HostileServer> {
  const server = createServer(async (request, response) => {
    const body: Buffer[] = [];
    for await (const chunk of request) body.push(chunk);
    const { authorization, range } = request.headers;
    const type = request.headers['content-type'];
    const answer = await fetch(genuine + swap(request.url ?? ''), {
      method: request.method ?? 'GET',
      headers: {
        ...(authorization && { Authorization: authorization }),
        ...(type && { 'Content-Type': type }),
        ...(range && { Range: range }),
      },
      ...(body.length > 0 && { body: Buffer.concat(body) }),
    });
    response.statusCode = answer.status;
    response.end(change(request.url ?? '', Buffer.from(await answer.arrayBuffer())));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
