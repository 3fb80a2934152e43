import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { RequestHandler, Response } from 'express';
import { StreamTurns } from './stream-turns.js';

/** Of all answers of the process. */
const TURNS = new StreamTurns();

/** Every request goes through this, so that streams know whom they keep waiting. */
export const knownToStreams: RequestHandler = (_request, response, next) => {
  response.once('close', TURNS.request());
  next();
};

/** Answers with bytes as they come. Who stops reading in the middle is no failure of the server. */
export async function sendBytes(
  bytes: AsyncIterable<Uint8Array>,
  response: Response,
): Promise<void> {
  await pipeline(Readable.from(TURNS.of(bytes)), response).catch((error) => {
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  });
}
