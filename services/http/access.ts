import type { Request, RequestHandler } from 'express';
import type { Route } from './route.js';

/** Whose requests a service answers. */
export interface Access {
  /** Lets through who may call the route, before a byte of the body is read; throws for all others. */
  guard(route: Route): RequestHandler;
}

/** The token of `Authorization: Bearer TOKEN` (RFC 6750, section 2.1); empty where there is none. */
export function bearerOf(request: Request): string {
  return /^Bearer ([\x21-\x7e]+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
}
