import type { Request, Response } from 'express';
import { isEncrypted, type Proxies } from '../client-address.js';

export interface CookieOptions {
  /** Told apart by service, since a host's cookies know no ports. */
  readonly name: string;
  /** `Strict`: no request that another site began carries it, not even one that leads here. */
  readonly sameSite: 'Strict' | 'Lax';
  /** Until the browser is closed, without it. */
  readonly seconds?: number;
  readonly proxies: Proxies;
}

/**
 * A cookie of a service (RFC 6265) that no script reads. Over TLS its name binds it to this host and to TLS
 * (RFC 6265bis, section 4.1.3.2).
 */
export class Cookie {
  constructor(private readonly options: CookieOptions) {}

  read(request: Request): string | undefined {
    const name = this.#nameFor(request);
    for (const pair of (request.headers.cookie ?? '').split(';')) {
      const at = pair.indexOf('=');
      if (at > 0 && pair.slice(0, at).trim() === name) return decoded(pair.slice(at + 1).trim());
    }
    return undefined;
  }

  set(value: string, request: Request, response: Response): void {
    this.#write(encodeURIComponent(value), request, response, this.options.seconds);
  }

  clear(request: Request, response: Response): void {
    this.#write('', request, response, 0);
  }

  #write(value: string, request: Request, response: Response, seconds: number | undefined): void {
    const attributes = [
      `${this.#nameFor(request)}=${value}`,
      'Path=/',
      'HttpOnly',
      `SameSite=${this.options.sameSite}`,
      ...(isEncrypted(request, this.options.proxies) ? ['Secure'] : []),
      ...(seconds === undefined ? [] : [`Max-Age=${seconds}`]),
    ];
    response.append('Set-Cookie', attributes.join('; '));
  }

  #nameFor(request: Request): string {
    const { name, proxies } = this.options;
    return isEncrypted(request, proxies) ? `__Host-${name}` : name;
  }
}

/** Undefined for what `set` did not write. */
function decoded(value: string): string | undefined {
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}
