import { Type } from '../../../proto/typebox.js';
import { closedObject } from '../../../proto/typed-schema.js';
import { validator } from '../../../proto/validator.js';
import type { Shown } from './page.js';
import type { Login } from './readers.js';

const LONGEST = 2000;

/** Where to go on after logging in. */
export const loginQuery = validator(
  closedObject({ to: Type.Optional(Type.String({ maxLength: LONGEST })) }),
  'request-invalid',
  'the query',
);

export const loginForm = validator(
  closedObject({
    token: Type.String({ minLength: 1, maxLength: LONGEST }),
    to: Type.Optional(Type.String({ maxLength: LONGEST })),
  }),
  'request-invalid',
  'the form',
);

/** Asks for a token; `refusal` says why the last one was not taken. */
export function loginPage({ asks, elsewhere }: Login, to: string, refusal?: string): Shown {
  return {
    title: 'Log in',
    status: refusal === undefined ? 200 : 401,
    body: (
      <>
        {refusal !== undefined && (
          <p class="notice danger" role="alert">
            {refusal}
          </p>
        )}
        {elsewhere && (
          <p class="actions">
            <a class="button" href={`/login/elsewhere?to=${encodeURIComponent(to)}`}>
              Log in with your house’s account
            </a>
          </p>
        )}
        <form method="post" action="/login">
          <input type="hidden" name="to" value={to} />
          <label>
            {asks}
            <input
              type="password"
              name="token"
              required
              maxLength={LONGEST}
              autocomplete="current-password"
              autofocus={!elsewhere}
            />
          </label>
          <p class="hint">
            It begins a session, which ends after ten hours at the latest. A cookie of this site
            names the session until the browser is closed, holds nothing of the token, and no script
            can read it.
          </p>
          <div class="actions">
            <button type="submit" class={elsewhere ? 'quiet' : undefined}>
              Log in
            </button>
          </div>
        </form>
      </>
    ),
  };
}

/**
 * Leads on by a page, after a provider of accounts has led here: a browser sends a strict cookie with what
 * this site began alone.
 */
export function loggedInPage(to: string): Shown {
  return {
    title: 'Logged in',
    goesOnTo: to,
    body: (
      <p>
        <a href={to}>Go on</a>
      </p>
    ),
  };
}

/** A path of this site; anything that could lead away from it is the first page. */
export function ownPath(to: string | undefined): string {
  return to !== undefined && /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(to) ? to : '/';
}
