import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { TacetError } from '../../proto/errors.js';
import { requireJson } from '../../proto/json-text.js';

/** The bytes of an answer; `server-failed` where they break off. */
export function bodyOf({ body }: Response): Readable {
  if (body === null) return Readable.from([]);
  return Readable.from(piecesOf(Readable.fromWeb(body as ReadableStream<Uint8Array>)));
}

/** The same bytes, and `digest-mismatch` at their end where they are not those of the digest. */
export async function* requireDigest(
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
export function parseAnswer(content: string, url: string): unknown {
  const fault = `${url} did not answer in JSON; is it a Tacet server?`;
  return content === '' ? undefined : requireJson(content, 'server-failed', fault);
}

async function* piecesOf(body: Readable): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (cause) {
    if (cause instanceof TacetError || (cause as Error).name === 'AbortError') throw cause;
    throw new TacetError('server-failed', 'the answer broke off; try again', { cause });
  }
}
