import { DatabaseError } from 'pg';
import { TacetError } from '../../proto/errors.js';

/** What a failure of PostgreSQL means for a store; others are returned as they are. Messages hold no values. */
export function failureOf(error: unknown): unknown {
  if (isLost(error)) {
    const message = 'the catalog cannot be reached, or did not answer in time; try again later';
    return new TacetError('catalog-unreachable', message, { cause: error });
  }
  if (!(error instanceof DatabaseError)) return error;
  switch (error.code) {
    case '28000':
    case '28P01':
    case '3D000':
      return new TacetError(
        'catalog-unreachable',
        `the catalog refuses the connection (SQLSTATE ${error.code}); check user, password and database`,
      );
    // A limit of time, a lock that was not had in time, a transaction that had to give way to another.
    case '57014':
    case '55P03':
    case '40001':
    case '40P01':
      return new TacetError('catalog-unreachable', 'the catalog is too busy; try again later', {
        cause: error,
      });
    case '22021':
      return new TacetError(
        'request-invalid',
        'a text holds the character U+0000, which the catalog does not keep',
      );
    case '53100':
      return new TacetError('store-full', 'the disk of the catalog is full; nothing was changed', {
        cause: error,
      });
    case 'XX001':
    case 'XX002':
      return new TacetError('store-damaged', `the catalog is damaged (SQLSTATE ${error.code})`, {
        cause: error,
      });
    default:
      return withoutValues(error);
  }
}

/** Whether the connection is gone, or what it answers next cannot be told. */
export function isLost(error: unknown): boolean {
  if (error instanceof DatabaseError) {
    const { code = '' } = error;
    // Connection exceptions, and a server that shuts down, crashed, starts or has no more connections.
    return /^(08...|57P0[1-5]|53300)$/.test(code);
  }
  const { code, message = '' } = (error ?? {}) as { code?: unknown; message?: string };
  return (
    /^E[A-Z]+$/.test(String(code)) ||
    /^(Connection terminated|Client has encountered|Client was closed|Query read timeout|timeout e)/.test(
      message,
    )
  );
}

/** Without the server's details, which quote values. */
function withoutValues({ code, table, constraint }: DatabaseError): Error {
  const where = [table, constraint].filter((name) => name !== undefined).join(', ');
  return Object.assign(
    new Error(`the catalog refused a statement: SQLSTATE ${code}${where && ` (${where})`}`),
    { code },
  );
}
