import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TacetError } from '../../proto/errors.js';

/** A slow client has this long for its headers, and for its whole request. */
const HEADERS_TIMEOUT_MS = 15_000;
const REQUEST_TIMEOUT_MS = 600_000;
/** After this long a shutdown no longer waits for answers under way. */
const GRACE_MS = 5_000;

export interface RunningServer {
  /** `http://host:port`, with the port that was bound. */
  readonly url: string;
  /** Takes no new connections, lets answers under way end, and returns when all is closed. */
  close(): Promise<void>;
}

/** Binds and serves; port 0 takes any free one. Throws `address-in-use` or `address-invalid`. */
export async function listen(
  app: RequestListener,
  { host, port }: { host: string; port: number },
): Promise<RunningServer> {
  const server = createServer(
    { headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS },
    app,
  );
  await bind(server, host, port);
  const { port: bound } = server.address() as AddressInfo;
  const name = host.includes(':') ? `[${host}]` : host;
  return { url: `http://${name}:${bound}`, close: () => shutDown(server) };
}

async function bind(server: Server, host: string, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(bindingFailure(error, `${host}:${port}`));
    });
    server.listen(port, host, resolve);
  });
}

function bindingFailure(cause: NodeJS.ErrnoException, address: string): TacetError {
  if (cause.code === 'EADDRINUSE') {
    return new TacetError(
      'address-in-use',
      `${address} is in use; choose another port, or 0 for any`,
      { cause },
    );
  }
  return new TacetError('address-invalid', `cannot bind ${address}: ${cause.code}`, { cause });
}

async function shutDown(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  await closed;
  clearTimeout(timer);
}
