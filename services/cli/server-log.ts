import { type Logger, pino } from 'pino';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;

const STANDARD_ERROR = 2;
/** Lines that a full disk did not take are kept up to this, and written once it takes them. */
const KEPT_BYTES = 2 ** 20;

/**
 * The log of a server, a line of JSON an entry; written at once, so that none is lost where it ends. Where it cannot be
 * written, as on a full disk, the server goes on without it.
 */
export function openLog(level: (typeof LOG_LEVELS)[number]): Logger {
  const lines = pino.destination({ fd: STANDARD_ERROR, sync: true, maxLength: KEPT_BYTES });
  // A failure that nobody hears would be thrown at whoever logs, and end the process.
  lines.on('error', () => {});
  return pino({ level, base: null }, lines);
}
