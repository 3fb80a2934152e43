import type { CatalogTransaction, Statements } from './catalog.js';
import type { CompiledQuery, DatabaseConnection, QueryResult } from './kysely.js';

type Answers<Q> = {
  [K in keyof Q]: Q[K] extends CompiledQuery<infer Row> ? QueryResult<Row> : never;
};

/** Takes statements without waiting for their answers: who commits the transaction learns of the first that failed. */
export interface SendingConnection extends DatabaseConnection {
  send(query: CompiledQuery): void;
}

/**
 * Runs statements of which none needs another's answer, in their order: over a network in one round trip, for which everyone
 * else waits where they are a transaction's. Throws what the first that fails does.
 */
export function together<const Q extends readonly CompiledQuery[]>(
  statements: Statements,
  ...queries: Q
): Promise<Answers<Q>> {
  return statements.getExecutor().provideConnection(async (connection) => {
    const answers = await Promise.allSettled(
      queries.map((query) => connection.executeQuery(query)),
    );
    return answers.map((answer) => {
      if (answer.status === 'rejected') throw answer.reason;
      return answer.value;
    }) as Answers<Q>;
  });
}

/**
 * As `together`, without answers: where they have a way to go, the end of the transaction follows them at once. What the first
 * that fails throws then comes from there.
 */
export function send(transaction: CatalogTransaction, ...queries: CompiledQuery[]): Promise<void> {
  return transaction.getExecutor().provideConnection(async (connection) => {
    for (const query of queries) {
      if (isSending(connection)) connection.send(query);
      else await connection.executeQuery(query);
    }
  });
}

function isSending(connection: DatabaseConnection): connection is SendingConnection {
  return 'send' in connection;
}
