import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { TacetError } from '../../proto/errors.js';
import type { Limits } from './limits.js';

/** A slow client has this long for its headers, and before them to agree on encryption. */
const HEADERS_TIMEOUT_MS = 15_000;
const CHECK_MS = 1_000;
/** Longer than a proxy or a client keeps a connection, so that none is closed as it is used again. */
const KEEP_ALIVE_MS = 65_000;
/** After this long a shutdown no longer waits for answers under way. */
const GRACE_MS = 5_000;

/** Certificate chain and private key, in PEM. */
export interface Tls {
  readonly cert: string;
  readonly key: string;
}

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly tls?: Tls | undefined;
  readonly limits: Pick<Limits, 'requestSeconds' | 'idleSeconds' | 'connections'>;
}

export interface RunningServer {
  /** `http://host:port` or `https://host:port`, with the port that was bound. */
  readonly url: string;
  /** Takes no new connections, lets answers under way end, and returns when all is closed. */
  close(): Promise<void>;
}

/** Binds and serves; port 0 takes any free one. Throws `address-in-use` or `address-invalid`. */
export async function listen(
  app: RequestListener,
  { host, port, tls, limits }: ListenOptions,
): Promise<RunningServer> {
  const requestTimeout = limits.requestSeconds * 1000;
  const timeouts = {
    headersTimeout: Math.min(HEADERS_TIMEOUT_MS, requestTimeout),
    requestTimeout,
    keepAliveTimeout: Math.min(KEEP_ALIVE_MS, limits.idleSeconds * 1000),
    connectionsCheckingInterval: CHECK_MS,
  };
  const handshakeTimeout = timeouts.headersTimeout;
  const work = inTurn(app);
  const sockets = new Set<Socket>();
  const server = tls
    ? createTls({ ...timeouts, handshakeTimeout, ...tls }, work)
    : createServer(timeouts, work);
  server.timeout = limits.idleSeconds * 1000;
  server.maxConnections = limits.connections;
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await bind(server, host, port);
  const { port: bound } = server.address() as AddressInfo;
  const name = host.includes(':') ? `[${host}]` : host;
  return {
    url: `${tls ? 'https' : 'http'}://${name}:${bound}`,
    close: () => shutDown(server, sockets),
  };
}

/** Binds all ports at once, and lets go of them; 0 is any free one. Throws as `listen` does. */
export async function requireFree(host: string, ports: readonly number[]): Promise<void> {
  const servers = ports.map(() => createServer());
  try {
    for (const [i, port] of ports.entries()) await bind(servers[i], host, port);
  } finally {
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  }
}

/**
 * Begins with a request that came behind another on its connection once that one is answered. Begun at once, it would never
 * hear that its client went away: an answer that is not on its connection yet does not close with it.
 */
function inTurn(app: RequestListener): RequestListener {
  return (request, response) => {
    if (response.socket) app(request, response);
    else response.once('socket', () => app(request, response));
  };
}

function createTls(options: ServerOptions, app: RequestListener): Server {
  try {
    return createTlsServer({ minVersion: 'TLSv1.2', ...options }, app);
  } catch (cause) {
    throw new TacetError('config-invalid', 'the certificate and its key do not fit or are no PEM', {
      cause,
    });
  }
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

async function shutDown(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  // All of them, of which Node's own method knows none that has yet to agree on its encryption.
  const timer = setTimeout(() => {
    for (const socket of sockets) socket.destroy();
  }, GRACE_MS);
  await closed;
  clearTimeout(timer);
}
