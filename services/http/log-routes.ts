import { MEMBERS, type Role } from '../../pool-store/members/tokens.js';
import type { Store } from '../../pool-store/store.js';
import { ENVELOPE } from '../../proto/dsse.js';
import { rawPublicKey } from '../../proto/ed25519-key.js';
import { LOG_HEAD, signLogHead } from '../../proto/log-head.js';
import { PATHS } from '../../proto/paths.js';
import { base64, DIGEST, NATURAL, TIME } from '../../proto/schemas.js';
import { Type } from '../../proto/typebox.js';
import { closedObject, mapOf, type TypeOf } from '../../proto/typed-schema.js';
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

/** `LogEntry`, which browsers load and so knows no schemas. */
const LOG_ENTRY = closedObject(
  {
    sequence: NATURAL,
    time: TIME,
    action: Type.String(),
    subject: Type.String(),
    details: mapOf(Type.Unknown()),
    previous: DIGEST,
    hash: DIGEST,
  },
  { title: 'LogEntry' },
);

const SIGNED_HEAD = closedObject(
  {
    ...LOG_HEAD.properties,
    /** The 32 raw bytes of the key that signed, in base64. */
    publicKey: base64(100),
    envelope: ENVELOPE,
  },
  { title: 'SignedLogHead' },
);

/** The newest entry of the log, as the server signs it at this moment. */
export type SignedHead = TypeOf<typeof SIGNED_HEAD>;

export async function signedHead({
  log,
  logKey,
}: Pick<Store, 'log' | 'logKey'>): Promise<SignedHead> {
  const head = { ...(await log.head()), time: new Date().toISOString() };
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
      answer: { json: Type.Array(LOG_ENTRY) },
      handle: ({ query }) => log.entries(Number(query.after ?? 0)),
    }),
    route({
      method: 'get',
      path: PATHS.logHead,
      summary: 'The newest sequence number and hash, signed, and the key that signed',
      roles: MEMBERS,
      answer: { json: SIGNED_HEAD },
      handle: () => signedHead({ log, logKey }),
    }),
  ];
}
