import { type Logger, pino } from 'pino';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;

const STANDARD_ERROR = 2;

/** The log of a server, a line of JSON an entry; written at once, so that none is lost where it ends. */
export function openLog(level: (typeof LOG_LEVELS)[number]): Logger {
  return pino({ level, base: null }, pino.destination({ fd: STANDARD_ERROR, sync: true }));
}
