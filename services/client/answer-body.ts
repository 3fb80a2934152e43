import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { ReadableStream } from 'node:stream/web';
import { TacetError } from '../../proto/errors.js';
import { requireJson } from '../../proto/json-text.js';

/** The bytes of an answer; `server-failed` where they break off. */
export function bodyOf({ body }: Response): Readable {
  if (body === null) return Readable.from([]);
  return Readable.from(piecesOf(Readable.fromWeb(body as ReadableStream<Uint8Array>)));
}

/** The same bytes; `server-failed` before more than `mostBytes` of them are passed on. */
export async function* requireAtMost(
  mostBytes: number,
  bytes: AsyncIterable<Uint8Array>,
  url: string,
): AsyncGenerator<Uint8Array> {
  let received = 0;
  for await (const chunk of bytes) {
    received += chunk.length;
    if (received > mostBytes)
      throw new TacetError(
        'server-failed',
        `${url} sent more than ${mostBytes} bytes, the most that are taken from there; ask who runs the server`,
      );
    yield chunk;
  }
}

/** An answer as text. Throws `server-failed` where it breaks off or has more than `mostBytes`. */
export function textOf(response: Response, url: string, mostBytes: number): Promise<string> {
  return text(requireAtMost(mostBytes, bodyOf(response), url));
}

/** Throws `server-failed` where bytes would have to be unpacked, of which few can become very many. */
export async function requireUnpacked({ headers, body }: Response, url: string): Promise<void> {
  const encoding = headers.get('content-encoding') ?? 'identity';
  if (encoding === 'identity') return;
  await body?.cancel();
  throw new TacetError(
    'server-failed',
    `${url} answered in the encoding ${encoding}, though it was asked for none; let no proxy compress`,
  );
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
