import pg from 'pg';

/** A database of PostgreSQL, and how long it is waited for. */
export interface PostgresPlace {
  /** `postgres://user@host:port/database`, with the parameters that `pg` knows. */
  readonly url: string;
  readonly password?: string | undefined;
  /** Connections that one process opens at most; 10 unless stated. */
  readonly connections?: number | undefined;
  /** For a connection, and for the answer to a statement; 30 s unless stated. */
  readonly timeoutMs?: number | undefined;
}

const CONNECTIONS = 10;
const TIMEOUT_MS = 30_000;
const IDLE_MS = 30_000;

/** Of whole numbers and of sums over them, which stay below 2^53 here. */
const [INT8, NUMERIC] = [20, 1700];

export function timeoutOf({ timeoutMs = TIMEOUT_MS }: PostgresPlace): number {
  return timeoutMs;
}

/**
 * Connections of one process. They share no state but what a proxy keeps that gives them out by transactions; what
 * holds in a transaction is said at its beginning.
 */
export function poolOf(place: PostgresPlace): pg.Pool {
  const timeoutMs = timeoutOf(place);
  return opened(place, {
    max: place.connections ?? CONNECTIONS,
    // The server's limit comes first, so that a slow statement costs no connection.
    statement_timeout: timeoutMs,
    query_timeout: timeoutMs + 5000,
  });
}

/** One connection for what may take as long as it takes. */
export function patientPoolOf(place: PostgresPlace): pg.Pool {
  return opened(place, { max: 1 });
}

function opened(place: PostgresPlace, config: pg.PoolConfig): pg.Pool {
  const { url, password } = place;
  const pool = new pg.Pool({
    ...config,
    connectionString: url,
    // A statement is sent while the one before it is under way.
    pipeline: true,
    ...(password !== undefined && { password }),
    connectionTimeoutMillis: timeoutOf(place),
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
    application_name: 'tacet',
    types: { getTypeParser: parserOf as typeof pg.types.getTypeParser },
  });
  // Of connections that nobody holds: the pool opens others.
  pool.on('error', () => {});
  // And of one that is lost as it is given, before its holder listens: its first statement says so. A failure that
  // nobody hears would end the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

function parserOf(oid: number, format?: 'text' | 'binary') {
  if (oid === INT8 || oid === NUMERIC) return Number;
  return format === 'binary' ? pg.types.getTypeParser(oid, format) : pg.types.getTypeParser(oid);
}
