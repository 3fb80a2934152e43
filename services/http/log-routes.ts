import { Type } from 'typebox';
import type { Store } from '../../pool-store/store.js';
import { MEMBERS, type Role } from '../../pool-store/tokens.js';
import type { Envelope } from '../../proto/dsse.js';
import { rawPublicKey } from '../../proto/ed25519-key.js';
import { signLogHead, type TimedLogHead } from '../../proto/log-head.js';
import { PATHS } from '../../proto/paths.js';
import { closedObject } from '../../proto/typed-schema.js';
import { validator } from '../../proto/validator.js';
import { type Route, route } from './route.js';

/** Who sees every change; the head alone is for all. */
export const LOG_READERS: readonly Role[] = ['auditor', 'admin'];

/** Where a page of the log begins. */
export const logQuery = validator(
  closedObject({ after: Type.Optional(Type.String({ pattern: '^[0-9]{1,15}$' })) }),
  'request-invalid',
  'the query',
);

/** The newest entry of the log, as the server signs it at this moment. */
export interface SignedHead extends TimedLogHead {
  /** The 32 raw bytes of the key that signed, in base64. */
  readonly publicKey: string;
  readonly envelope: Envelope;
}

export function signedHead({ log, logKey }: Pick<Store, 'log' | 'logKey'>): SignedHead {
  const head = { ...log.head(), time: new Date().toISOString() };
  const publicKey = Buffer.from(rawPublicKey(logKey)).toString('base64');
  return { ...head, publicKey, envelope: signLogHead(head, logKey) };
}

/**
 * The hash-chained log, for whoever keeps a copy to compare; its head is signed by the server, whose key is there
 * from the start, so that every backup holds it.
 */
export function logRoutes({ log, logKey }: Store): Route[] {
  return [
    route({
      method: 'get',
      path: PATHS.log,
      summary: 'A thousand entries of the log after a sequence number',
      roles: LOG_READERS,
      query: logQuery,
      handle: ({ query }) => log.entries(Number(query.after ?? 0)),
    }),
    route({
      method: 'get',
      path: PATHS.logHead,
      summary: 'The newest sequence number and hash, signed, and the key that signed',
      roles: MEMBERS,
      handle: () => signedHead({ log, logKey }),
    }),
  ];
}
