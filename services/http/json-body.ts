import express, { type RequestHandler } from 'express';
import { TacetError } from '../../proto/errors.js';
import { jsonIn, NotJson } from '../../proto/json-text.js';
import { requireModestJson } from './json-extent.js';

const TYPES = ['application/json', 'application/fhir+json'];

/**
 * Reads a body of so many bytes at most that is said to be JSON, and leaves any other unread. Its error quotes none of it;
 * an empty body is an empty object.
 */
export function jsonBody(maxBytes: number): RequestHandler[] {
  return [express.raw({ limit: maxBytes, inflate: false, type: TYPES }), parseBody];
}

const parseBody: RequestHandler = (request, _response, next) => {
  const { body } = request;
  if (Buffer.isBuffer(body)) {
    requireUtf8(request.headers['content-type']);
    request.body = body.length === 0 ? {} : parsed(body);
  }
  next();
};

function parsed(bytes: Buffer): object {
  requireModestJson(bytes);
  const value = jsonIn(bytes.toString());
  if (typeof value === 'object' && value !== null) return value;
  throw new NotJson();
}

/** RFC 8259, section 8.1. */
function requireUtf8(contentType = ''): void {
  const [, charset = 'utf-8'] = /;\s*charset="?([^\s;"]*)/i.exec(contentType) ?? [];
  if (!/^utf-?8$/i.test(charset))
    throw new TacetError('request-invalid', 'the body is not in UTF-8');
}
