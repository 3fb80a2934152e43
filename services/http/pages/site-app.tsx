import express, { type Express, type RequestHandler } from 'express';
import { checkedParameters, departureOf, expressPath, withoutIdleLimit } from '../request-parts.js';
import { tokenOf } from '../token-access.js';
import { loggedInPage, loginForm, loginPage, loginQuery, ownPath } from './login-page.js';
import { CALLBACK } from './openid/openid-login.js';
import type { FormAction, Page, PageCall } from './page.js';
import type { Login } from './readers.js';
import { requireSameOrigin } from './same-origin.js';
import type { Site } from './site.js';
import { type Answered, SiteAnswers, type SiteOptions } from './site-answers.js';

/** Anyone may send one: a token, and where to go on, each escaped. */
const MOST_LOGIN_BYTES = 20_000;

/** Answers browsers: pages, the forms on them, the files that they load, and errors as pages. */
export function mountSite(
  app: Express,
  site: Site,
  { maxBytes, ...options }: SiteOptions & { readonly maxBytes: number },
): void {
  const answers = new SiteAnswers(site, options);
  const readForm = formReader(maxBytes);
  const { readers, assets } = site;
  app.get('/assets/:digest/:name', assets.serve);
  if (readers.login) mountLogin(app, answers, readers.login);
  for (const page of site.pages)
    app.get(
      expressPath(page.path),
      answers.toReader((answered) => {
        readers.admit(page, answered.reader);
        const show = async () => page.show(callOf(page, answered));
        return page.streams ? show() : withoutIdleLimit(answered.request, show);
      }),
    );
  for (const action of site.forms)
    app.post(
      expressPath(action.path),
      answers.toReader(async (answered) => {
        requireSameOrigin(answered.request);
        readers.admit(action, answered.reader);
        const fields = await fieldsOf(answered, readForm);
        const submit = async () => action.submit(callOf(action, answered, action.form?.(fields)));
        return withoutIdleLimit(answered.request, submit);
      }),
    );
  app.use(answers.ofNothing());
}

function formReader(limit: number): RequestHandler {
  return express.urlencoded({ extended: false, limit, inflate: false });
}

function mountLogin(app: Express, answers: SiteAnswers, login: Login): void {
  const readForm = formReader(MOST_LOGIN_BYTES);
  app.get(
    '/login',
    answers.toAnyone(({ request }) => loginPage(login, ownPath(loginQuery(request.query).to))),
  );
  app.post(
    '/login',
    answers.toAnyone(async (answered) => {
      const { request, response } = answered;
      requireSameOrigin(request);
      const { token, to } = loginForm(await fieldsOf(answered, readForm));
      await login.enter(token.trim(), request, response);
      return ownPath(to);
    }),
  );
  const { elsewhere } = login;
  if (elsewhere) {
    app.get(
      '/login/elsewhere',
      answers.toAnyone(({ request, response }) =>
        elsewhere.begin(ownPath(loginQuery(request.query).to), request, response),
      ),
    );
    app.get(
      CALLBACK,
      answers.toAnyone(async ({ request, response }) =>
        loggedInPage(ownPath(await elsewhere.finish(request, response))),
      ),
    );
  }
  app.post(
    '/logout',
    answers.toAnyone(async ({ request, response }) => {
      requireSameOrigin(request);
      await login.leave(request, response);
      return '/login';
    }),
  );
}

function callOf(
  { query }: Page | FormAction,
  { request, response, reader }: Answered,
  form?: unknown,
): PageCall {
  return {
    params: checkedParameters(request.params),
    query: query ? query(request.query) : {},
    form,
    reader,
    get token() {
      return tokenOf(request);
    },
    signal: departureOf(response),
    request,
    response,
  };
}

/** The fields of a form that has been admitted; not a byte of it is read before. */
async function fieldsOf(
  { request, response }: Pick<Answered, 'request' | 'response'>,
  readForm: RequestHandler,
): Promise<unknown> {
  await new Promise<void>((resolve, reject) => {
    readForm(request, response, (error?: unknown) => (error ? reject(error) : resolve()));
  });
  return { ...(request.body as object | undefined) };
}
