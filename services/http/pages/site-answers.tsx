import type { Request, RequestHandler, Response } from 'express';

import { markupOf } from '../../../platform/pages/markup.js';
import { TacetError } from '../../../proto/errors.js';
import { isServicePath } from '../../../proto/paths.js';
import type { Explain } from '../explained-error.js';
import { breakOff, noteProblem } from '../problem-answer.js';
import { Layout } from './layout.js';
import { loginPage, ownPath } from './login-page.js';
import type { PageAnswer, Reader } from './page.js';
import { problemPage } from './problem-page.js';
import type { Site } from './site.js';

export interface SiteOptions {
  readonly explain: Explain;
}

/** A request that is being answered, and who sent it. */
export interface Answered {
  readonly request: Request;
  readonly response: Response;
  readonly reader: Reader;
}

type Work<Known> = (known: Known) => PageAnswer | undefined | Promise<PageAnswer | undefined>;

/**
 * Nothing of another host, no script and no style but the site's own files, no place in a frame. Forms say
 * whose page sent them only where a policy on referrers lets them.
 */
const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
};

/** How a site answers: where to go on, a page in its frame, or an error as a page. */
export class SiteAnswers {
  /** Who reads, for the frame of what they are shown. */
  readonly #readers = new WeakMap<Request, Reader>();

  constructor(
    private readonly site: Site,
    private readonly options: SiteOptions,
  ) {}

  toAnyone(work: Work<Omit<Answered, 'reader'>>): RequestHandler {
    return async (request, response) => {
      response.set(HEADERS);
      try {
        this.#send(await work({ request, response }), request, response);
      } catch (error) {
        this.#refuse(error, request, response);
      }
    };
  }

  /** Whoever has not logged in is asked to. */
  toReader(work: Work<Answered>): RequestHandler {
    return this.toAnyone(async ({ request, response }) => {
      const reader = await this.site.readers.readerOf(request, response);
      if (reader) {
        this.#readers.set(request, reader);
        return work({ request, response, reader });
      }
      if (request.method === 'GET') return `/login?to=${encodeURIComponent(request.originalUrl)}`;
      throw new TacetError('unauthorized', 'log in first; what was sent has changed nothing');
    });
  }

  /** Programs are told of what is not there in their own way, by what comes after. */
  ofNothing(): RequestHandler {
    const page = this.toAnyone(() => {
      throw new TacetError('not-found', 'there is no such page');
    });
    return (request, response, next) =>
      isServicePath(request.path) || request.accepts(['json', 'html']) !== 'html'
        ? next()
        : page(request, response, next);
  }

  #refuse(error: unknown, request: Request, response: Response): void {
    const expected = this.options.explain(error);
    if (response.headersSent) return void breakOff(response, expected);
    noteProblem(response, expected.code);
    const { login } = this.site.readers;
    const asksAgain = login && expected.code === 'unauthorized';
    const to = request.method === 'GET' ? request.originalUrl : this.#cameFrom(request);
    this.#send(
      asksAgain ? loginPage(login, ownPath(to), expected.message) : problemPage(expected),
      request,
      response,
    );
  }

  /** The page of this site that a form stood on. */
  #cameFrom(request: Request): string | undefined {
    const { to } = { ...(request.body as { to?: unknown } | undefined) };
    if (typeof to === 'string') return to;
    const from = request.get('referer') ?? '';
    if (!URL.canParse(from)) return undefined;
    const { pathname, search } = new URL(from);
    return pathname + search;
  }

  #send(answer: PageAnswer | undefined, request: Request, response: Response): void {
    if (answer === undefined || response.headersSent) return;
    if (typeof answer === 'string') {
      response.redirect(303, answer);
      return;
    }
    if ('data' in answer) {
      response.json(answer.data);
      return;
    }
    const { status = 200, scripts = [] } = answer;
    response
      .status(status)
      .type('html')
      .send(
        `<!doctype html>\n${markupOf(<Layout frame={this.#frame(request, scripts)} shown={answer} />)}`,
      );
  }

  #frame(request: Request, scripts: readonly string[]) {
    const { title, assets, readers } = this.site;
    const reader = this.#readers.get(request);
    return {
      title,
      navigation: reader ? this.site.navigation(reader) : [],
      path: request.path,
      reader: readers.login && reader,
      stylesheet: assets.pathOf('page.css'),
      modules: scripts.map((name) => assets.pathOf(name)),
    };
  }
}
