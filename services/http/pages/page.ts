import type { Request, Response } from 'express';
import type { VNode } from 'preact';
import type { Role, Token } from '../../../pool-store/members/tokens.js';
import type { Validator } from '../../../proto/validator.js';

/** Who reads a page. */
export interface Reader {
  readonly name: string;
  /** Of a store's token; undefined where a service knows one kind of caller alone. */
  readonly token?: Token | undefined;
}

/** A request for a page whose path, query, reader and form were checked. */
export interface PageCall<Query = unknown, Form = unknown> {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly form: Form;
  readonly reader: Reader;
  /** Of the store; reading it throws `unauthorized` where the service knows readers otherwise. */
  readonly token: Token;
  /** Aborted where the browser goes away before its answer. */
  readonly signal: AbortSignal;
  readonly request: Request;
  readonly response: Response;
}

/** What a browser is shown, inside the frame that all pages of a service share. */
export interface Shown {
  readonly title: string;
  readonly body: VNode;
  /** 200 unless stated. */
  readonly status?: number;
  /** Names of browser modules that the page is the better for; it can be read without them. */
  readonly scripts?: readonly string[];
  /** A path of this service that it leads on to by itself. */
  readonly goesOnTo?: string;
}

/** What a script of a page is told. */
export interface Data {
  /** What is sent as JSON. */
  readonly data: unknown;
}

/** Where to go on, as a path of this service, or what is shown, or what a script is told. */
export type PageAnswer = string | Shown | Data;

interface Place<Query> {
  /** With parameters in braces. */
  readonly path: string;
  /** Whose tokens may come here, where readers have roles; every other is answered `forbidden`. */
  readonly roles?: readonly Role[];
  readonly query?: Validator<Query>;
}

/** A page that is asked for. */
export interface Page<Query = unknown> extends Place<Query> {
  /** Bytes go while it works, so that a connection on which nothing moves is one that is gone. */
  readonly streams?: boolean;
  /** Returns the path of this service where it stands, what is shown, or undefined where it answered by itself. */
  show(call: PageCall<Query>): PageAnswer | undefined | Promise<PageAnswer | undefined>;
}

/** What a form does. */
export interface FormAction<Query = unknown, Form = unknown> extends Place<Query> {
  /** Of its fields, each a string, or a list of them where a name comes several times. */
  readonly form?: Validator<Form>;
  /** Returns where to go on, a path of this service, or what is shown at once. */
  submit(call: PageCall<Query, Form>): PageAnswer | Promise<PageAnswer>;
}

/** Lets TypeScript infer the types of query and form, and then forgets them. */
export function page<Query>(definition: Page<Query>): Page {
  return definition as Page;
}

/** As `page`, of what a form does. */
export function formAction<Query, Form>(definition: FormAction<Query, Form>): FormAction {
  return definition as FormAction;
}
