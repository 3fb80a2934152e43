import type { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import type { BlobContent, ByteRange } from '../blobs.js';
import { bucketAgents } from './bucket-connections.js';
import { bucketFault, isPassing, statusOf } from './bucket-fault.js';
import type { BucketPlace } from './bucket-place.js';
import { readCredentials } from './credentials-file.js';
import { ReadBody } from './read-body.js';
import { RETRIES, type RetryPolicy, retried } from './retries.js';

type Sdk = typeof import('@aws-sdk/client-s3');

export interface ObjectState {
  readonly bytes: number;
  readonly etag: string;
  readonly modified: Date;
}

export interface ListedObject {
  /** Without the prefix of the place. */
  readonly key: string;
  readonly bytes: number;
  readonly modified: Date;
}

/** Of a body, before it is sent: a server that got another one refuses it. */
export interface BodySums {
  readonly md5: Buffer;
  readonly sha256: Buffer;
}

const SILENT = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };

/**
 * The requests to one bucket that a store needs, each tried again while its failure is passing; keys are
 * those after the prefix. Throws `store-unavailable`, `bucket-missing`, `bucket-denied`, `clock-wrong` or
 * `store-full`. The SDK is loaded at the first request, since most commands need none of it.
 */
export class S3Bucket {
  #opened: Promise<{ sdk: Sdk; client: S3Client }> | undefined;

  constructor(
    readonly place: BucketPlace,
    readonly policy: RetryPolicy = RETRIES,
  ) {}

  /**
   * Puts a new object. Returns whether this call did: false where the key is taken, after a lost answer
   * perhaps by an earlier attempt of this very call. Throws what reading the content does.
   */
  async put(key: string, content: BlobContent, sums: BodySums): Promise<boolean> {
    try {
      await this.#try(async ({ sdk, client }) => {
        const body = new ReadBody(content);
        const command = new sdk.PutObjectCommand({
          ...this.#at(key),
          Body: body.stream,
          ContentLength: content.bytes,
          ContentMD5: sums.md5.toString('base64'),
          IfNoneMatch: '*',
        });
        signBody(command, sums);
        try {
          await client.send(command, { abortSignal: body.signal });
        } catch (error) {
          throw body.failure ?? error;
        } finally {
          // What was not read to its end stays open otherwise.
          body.stream.destroy();
        }
      });
      return true;
    } catch (error) {
      if (statusOf(error) === 412) return false;
      throw bucketFault(error, this.place);
    }
  }

  /** Undefined where there is no such object. */
  head(key: string): Promise<ObjectState | undefined> {
    return this.#found(async ({ sdk, client }) => {
      const head = await client.send(new sdk.HeadObjectCommand(this.#at(key)));
      const { ContentLength = 0, ETag = '', LastModified = new Date() } = head;
      return { bytes: ContentLength, etag: ETag, modified: LastModified };
    });
  }

  /** The body of an object as it was when it had this ETag; undefined where there is none such. */
  get(key: string, { range, etag }: { range?: ByteRange | undefined; etag?: string | undefined }) {
    return this.#found(async ({ sdk, client }) => {
      const { Body, ETag } = await client.send(
        new sdk.GetObjectCommand({
          ...this.#at(key),
          ...(range && { Range: `bytes=${range.start}-${range.end}` }),
          ...(etag !== undefined && { IfMatch: etag }),
        }),
      );
      return { body: Body as Readable, etag: ETag ?? '' };
    });
  }

  /** Within the bucket, of the object that had this ETag; returns false where there is none such. */
  async copy(from: string, to: string, etag: string): Promise<boolean> {
    const { bucket, prefix } = this.place;
    const source = { CopySource: `${bucket}/${prefix}${from}`, CopySourceIfMatch: etag };
    const copied = await this.#found(({ sdk, client }) =>
      client.send(new sdk.CopyObjectCommand({ ...this.#at(to), ...source })),
    );
    return copied !== undefined;
  }

  /** Removes what is there; nothing may be. */
  async delete(key: string): Promise<void> {
    await this.#found(({ sdk, client }) => client.send(new sdk.DeleteObjectCommand(this.#at(key))));
  }

  async *list(folder: string): AsyncGenerator<ListedObject> {
    const { bucket, prefix } = this.place;
    let token: string | undefined;
    do {
      const page = await this.#sent(({ sdk, client }) =>
        client.send(
          new sdk.ListObjectsV2Command({
            ...{ Bucket: bucket, Prefix: `${prefix}${folder}`, ContinuationToken: token },
          }),
        ),
      );
      for (const { Key = '', Size = 0, LastModified = new Date() } of page.Contents ?? [])
        yield { key: Key.slice(prefix.length), bytes: Size, modified: LastModified };
      token = page.IsTruncated ? page.NextContinuationToken : undefined;
    } while (token !== undefined);
  }

  /** Whether the bucket keeps, or once kept, what is deleted from it. */
  async keepsVersions(): Promise<boolean> {
    const { Status } = await this.#sent(({ sdk, client }) =>
      client.send(new sdk.GetBucketVersioningCommand({ Bucket: this.place.bucket })),
    );
    return Status !== undefined;
  }

  /** Ends its connections; the next request makes new ones. */
  async close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    (await opened?.catch(() => undefined))?.client.destroy();
  }

  #at(key: string) {
    return { Bucket: this.place.bucket, Key: `${this.place.prefix}${key}` };
  }

  async #found<T>(send: Send<T>): Promise<T | undefined> {
    try {
      return await this.#try(send);
    } catch (error) {
      const fault = bucketFault(error, this.place);
      if (fault.code !== 'bucket-missing' && [404, 412].includes(statusOf(error) ?? 0)) return;
      throw fault;
    }
  }

  async #sent<T>(send: Send<T>): Promise<T> {
    try {
      return await this.#try(send);
    } catch (error) {
      throw bucketFault(error, this.place);
    }
  }

  /** Throws what the SDK does, of the last attempt. */
  #try<T>(send: Send<T>): Promise<T> {
    return retried(async () => send(await this.#open()), isPassing, this.policy);
  }

  #open(): Promise<{ sdk: Sdk; client: S3Client }> {
    this.#opened ??= openClient(this.place);
    // Credentials that are mended are read anew.
    this.#opened.catch(() => {
      this.#opened = undefined;
    });
    return this.#opened;
  }
}

type Send<T> = (opened: { sdk: Sdk; client: S3Client }) => Promise<T>;

async function openClient(place: BucketPlace): Promise<{ sdk: Sdk; client: S3Client }> {
  // Which Node is supported is ours to say, once a version of the SDK is pinned.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  const sdk = await import('@aws-sdk/client-s3');
  const { endpoint, region, credentials, isPathStyle, timeoutMs } = place;
  const client = new sdk.S3Client({
    region,
    forcePathStyle: isPathStyle,
    ...(endpoint !== undefined && { endpoint }),
    ...(credentials !== undefined && { credentials: await readCredentials(credentials) }),
    // What it logs, it would log to the console; some of it are headers.
    logger: SILENT,
    // A body is a stream, which only we can begin anew.
    maxAttempts: 1,
    // ContentMD5 does what else a checksum in a trailer would, which few servers know.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // Silence ends a request, and no `requestTimeout`, which counts from its start: a large body on a slow link takes its time.
    requestHandler: { socketTimeout: timeoutMs, ...bucketAgents() },
  });
  return { sdk, client };
}

/** Signs the digest of a stream, which the SDK could not know, instead of leaving its body unsigned. */
function signBody(command: InstanceType<Sdk['PutObjectCommand']>, { sha256 }: BodySums): void {
  command.middlewareStack.add(
    (next) => (args) => {
      const { headers } = args.request as { headers: Record<string, string> };
      headers['x-amz-content-sha256'] = sha256.toString('hex');
      return next(args);
    },
    { step: 'build', name: 'signBody' },
  );
}
