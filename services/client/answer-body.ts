import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { TacetError } from '../../proto/errors.js';

/** The bytes of an answer; `server-failed` where they break off. */
export function bodyOf({ body }: Response): Readable {
  if (body === null) return Readable.from([]);
  return Readable.from(unbroken(Readable.fromWeb(body as ReadableStream<Uint8Array>)));
}

/** The same bytes, and `digest-mismatch` at their end where they are not those of the digest. */
export async function* matching(
  digest: string,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  for await (const chunk of bytes) {
    hash.update(chunk);
    yield chunk;
  }
  const found = hash.digest('hex');
  if (found !== digest) {
    throw new TacetError('digest-mismatch', `asked for blob ${digest}, was sent ${found}`);
  }
}

/** Undefined where there is nothing; throws `server-failed` for what is not JSON. */
export function parseJson(content: string, url: string): unknown {
  try {
    return content === '' ? undefined : JSON.parse(content);
  } catch (cause) {
    throw new TacetError('server-failed', `${url} did not answer in JSON; is it a Tacet server?`, {
      cause,
    });
  }
}

async function* unbroken(body: Readable): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (cause) {
    if (cause instanceof TacetError || (cause as Error).name === 'AbortError') throw cause;
    throw new TacetError('server-failed', 'the answer broke off; try again', { cause });
  }
}
