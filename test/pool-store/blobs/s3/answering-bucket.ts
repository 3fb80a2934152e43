import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { endAfterTests } from '../../../services/left-over.js';

/** The address of a bucket at a server that does what `answer` does, and is waited for through so much silence. */
export async function bucketAddress(answer: RequestListener, seconds: number): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  endAfterTests(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return `s3://bucket?endpoint=http://127.0.0.1:${port}&timeout=${seconds}`;
}
