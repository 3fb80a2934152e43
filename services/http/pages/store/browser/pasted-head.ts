/** A head of a log that somebody kept. */
export interface KeptHead {
  /** Undefined where the hash alone was kept. */
  readonly sequence: number | undefined;
  readonly hash: string;
}

const HASH = /^[0-9a-f]{64}$/;

/**
 * A hash, or a number and a hash, or a head as JSON, signed or not; undefined for an empty text. Throws an
 * `Error` in words for anything else.
 */
export function pastedHead(text: string): KeptHead | undefined {
  const written = text.trim();
  if (written === '') return undefined;
  const [, number, hash] = /^(?:0*(\d{1,15})[\s:,]+)?([0-9a-f]{64})$/i.exec(written) ?? [];
  if (hash !== undefined) {
    return {
      sequence: number === undefined ? undefined : Number(number),
      hash: hash.toLowerCase(),
    };
  }
  const head = headIn(written);
  if (head) return head;
  throw new Error('What was pasted is no head of a log: a hash has 64 characters from 0 to f.');
}

function headIn(text: string): KeptHead | undefined {
  try {
    const { sequence, hash } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    if (typeof hash !== 'string' || !HASH.test(hash)) return undefined;
    return { sequence: Number.isSafeInteger(sequence) ? Number(sequence) : undefined, hash };
  } catch {
    return undefined;
  }
}
