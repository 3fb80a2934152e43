import type { KeyObject } from 'node:crypto';
import { type Envelope, sign, verify } from './dsse.js';
import { TacetError } from './errors.js';
import { COUNT, DIGEST, TIME } from './schemas.js';
import { closedObject, type TypeOf } from './typed-schema.js';
import { validator } from './validator.js';

const LOG_HEAD_TYPE = 'application/vnd.tacet.log-head+json';

export const LOG_HEAD = closedObject({
  /** 0 for an empty log. */
  sequence: COUNT,
  hash: DIGEST,
  time: TIME,
});

/** The newest entry of a server's change log, at a time. */
export type TimedLogHead = TypeOf<typeof LOG_HEAD>;
export type LogHead = Omit<TimedLogHead, 'time'>;

const parseHead = validator(LOG_HEAD, 'signature-invalid', 'the head of the log');

/** What a server states for good: whoever keeps it can prove any later change of what came before. */
export function signLogHead(head: TimedLogHead, key: KeyObject): Envelope {
  return sign(LOG_HEAD_TYPE, Buffer.from(JSON.stringify(head)), key);
}

/** Throws `signature-invalid`, or `key-untrusted` where another key signed. */
export function openLogHead(envelope: Envelope, key: KeyObject): TimedLogHead {
  const { payload } = verify(envelope, LOG_HEAD_TYPE, [key]);
  try {
    return parseHead(JSON.parse(Buffer.from(payload).toString('utf8')));
  } catch (cause) {
    throw new TacetError('signature-invalid', 'what was signed is no head of a log', { cause });
  }
}
