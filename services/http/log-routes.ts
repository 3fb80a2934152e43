import { Type } from 'typebox';
import type { Store } from '../../pool-store/store.js';
import { MEMBERS } from '../../pool-store/tokens.js';
import { rawPublicKey } from '../../proto/ed25519-key.js';
import { signLogHead } from '../../proto/log-head.js';
import { PATHS } from '../../proto/paths.js';
import { closedObject } from '../../proto/typed-schema.js';
import { validator } from '../../proto/validator.js';
import { type Route, route } from './route.js';

const page = validator(
  closedObject({ after: Type.Optional(Type.String({ pattern: '^[0-9]{1,15}$' })) }),
  'request-invalid',
  'the query',
);

/** The hash-chained log, for whoever keeps a copy to compare; its head is signed by the server. */
export function logRoutes({ log, logKey }: Store): Route[] {
  const publicKey = Buffer.from(rawPublicKey(logKey)).toString('base64');
  return [
    route({
      method: 'get',
      path: PATHS.log,
      summary: 'A thousand entries of the log after a sequence number',
      roles: ['auditor', 'admin'],
      query: page,
      handle: ({ query }) => log.entries(Number(query.after ?? 0)),
    }),
    route({
      method: 'get',
      path: PATHS.logHead,
      summary: 'The newest sequence number and hash, signed, and the key that signed',
      roles: MEMBERS,
      handle: () => {
        const head = { ...log.head(), time: new Date().toISOString() };
        return { ...head, publicKey, envelope: signLogHead(head, logKey) };
      },
    }),
  ];
}
