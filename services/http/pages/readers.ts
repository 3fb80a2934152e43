import type { Request, Response } from 'express';
import type { FormAction, Page, Reader } from './page.js';

/** How a site knows who reads its pages. */
export interface Readers {
  /**
   * Who sends a request, undefined where nobody has logged in. Throws where it may not be answered at all,
   * such as `rate-limited`.
   */
  readerOf(request: Request, response: Response): Reader | undefined | Promise<Reader | undefined>;
  /** Throws `forbidden` where the reader may not come here. */
  admit(place: Pick<Page | FormAction, 'path' | 'roles'>, reader: Reader): void;
  /** Undefined where everyone who can reach the service reads its pages. */
  readonly login?: Login | undefined;
}

/** How a token begins a session, which a cookie names. */
export interface Login {
  /** What the token is called where it is asked for. */
  readonly asks: string;
  /** Sets the cookie. Throws `unauthorized` or `rate-limited`. */
  enter(token: string, request: Request, response: Response): void | Promise<void>;
  /** Ends the session; its cookie is worth nothing from now on, whoever has it. */
  leave(request: Request, response: Response): void | Promise<void>;
  /** With an account of another house's, where there is one. */
  readonly elsewhere?: LoginElsewhere | undefined;
}

/** Logging in with a provider of accounts, which leads away from this site and back. */
export interface LoginElsewhere {
  /** Where the browser is to go. */
  begin(to: string, request: Request, response: Response): Promise<string>;
  /** Sets the cookie for whoever came back; returns where they wanted to be. */
  finish(request: Request, response: Response): Promise<string>;
}
