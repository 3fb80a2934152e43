import type { Findings } from './chain-walk.js';
import type { KeptHead } from './pasted-head.js';

/** What was found, for people, and whether it is good. */
export interface Verdict {
  readonly good: boolean;
  readonly text: string;
}

/** What a walk says of the log, and of the head that somebody kept. */
export function verdictOf(
  { last, brokenAt, keptAt, reachesShown }: Findings,
  kept: KeptHead | undefined,
): Verdict {
  const bad = (text: string) => ({ good: false, text });
  const good = (text: string) => ({ good: true, text });
  if (brokenAt !== undefined)
    return bad(
      `Entry ${brokenAt} does not follow from the one before it: the log was altered there, or an entry ` +
        'was taken away.',
    );
  if (!reachesShown)
    return bad(`The log ends with entry ${last.sequence}, not with the head that this page shows.`);
  const whole = `All ${last.sequence} entries follow from one another, each with the hash that it must have`;
  if (!kept)
    return good(
      `${whole}. Whether it is the log that you saw before, a head that you kept can tell alone.`,
    );
  if (keptAt === undefined)
    return bad(
      `${whole}, but the head that you kept is not among them: it is the head of another log, or this one ` +
        'was written anew since.',
    );
  const since = last.sequence - keptAt;
  return good(
    `${whole}, and entry ${keptAt} is the head that you kept: nothing up to it was altered or taken away. ` +
      `${since === 1 ? '1 entry was' : `${since} entries were`} added since.`,
  );
}
