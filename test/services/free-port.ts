import { createServer } from 'node:net';

/** A port of 127.0.0.1: `wanted`, or any where it is 0; undefined where it is taken. */
export async function freePort(wanted = 0): Promise<number | undefined> {
  const server = createServer();
  const listening = new Promise<boolean>((resolve) => {
    server.once('listening', () => resolve(true)).once('error', () => resolve(false));
  });
  server.listen(wanted, '127.0.0.1');
  if (!(await listening)) return undefined;
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : undefined;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
