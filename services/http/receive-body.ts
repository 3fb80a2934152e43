import type { Request } from 'express';
import { TacetError } from '../../proto/errors.js';
import type { StagedFile } from './staged-file.js';

/**
 * Takes the body of a request to a file as it comes. Returns why not all was taken: it broke off, or has more than
 * `most` bytes, of which the first chunks were taken. Throws what writing failed with. Hears of chunks as events, for an
 * iterator costs several ticks of Node for each; and never destroys the request, which would close the
 * connection before the answer is sent.
 */
export function receiveBody(
  request: Request,
  staged: StagedFile,
  most: number,
): Promise<TacetError | undefined> {
  return new Promise((resolve, reject) => {
    let received = 0;
    let writing: Promise<void> = Promise.resolve();
    const end = (fault?: TacetError) => {
      stop();
      // Who breaks off may do so while what came before is written.
      writing.then(() => resolve(fault), reject);
    };
    const onData = (chunk: Uint8Array) => {
      received += chunk.length;
      if (received > most) return end(tooLong(most));
      const written = staged.add(chunk);
      if (!written) return;
      writing = written;
      request.pause();
      written.then(
        () => request.resume(),
        () => end(),
      );
    };
    const onEnd = () => end();
    const onBreak = (cause?: unknown) => end(brokenOff(cause));
    const stop = () => {
      request.off('data', onData).off('end', onEnd).off('close', onBreak).pause();
    };
    if (request.destroyed) return onBreak();
    // Stays: a request may fail more than once, and a failure that nobody hears ends the process.
    request.on('error', onBreak);
    request.on('data', onData).once('end', onEnd).once('close', onBreak);
  });
}

function tooLong(most: number): TacetError {
  return new TacetError(
    'body-too-large',
    `the body has more bytes than the ${most} that are to come`,
  );
}

function brokenOff(cause: unknown): TacetError {
  return new TacetError('request-invalid', 'the body breaks off', { cause });
}
