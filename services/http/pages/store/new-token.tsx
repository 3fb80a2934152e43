import { Breadcrumbs } from '../../../../platform/pages/breadcrumbs.js';
import { NEW_TOKEN, ROLES } from '../../../../pool-store/members/tokens.js';
import type { Store } from '../../../../pool-store/store.js';
import { Type } from '../../../../proto/typebox.js';
import { closedObject } from '../../../../proto/typed-schema.js';
import { validator } from '../../../../proto/validator.js';
import { TOKEN_KEEPERS } from '../../token-routes.js';
import { type FormAction, formAction, type Page, page } from '../page.js';
import { secretPage } from './secret-page.js';

const newToken = validator(
  closedObject({
    role: NEW_TOKEN.properties.role,
    name: NEW_TOKEN.properties.name,
    /** The day at whose beginning it ends. */
    expires: Type.String({ pattern: '^(\\d{4}-\\d{2}-\\d{2})?$' }),
  }),
  'request-invalid',
  'the form',
);

/** Asks for what a new token is for. */
export function newTokenPage(): Page {
  return page({
    path: '/tokens/new',
    roles: TOKEN_KEEPERS,
    show: () => ({
      title: 'Create a token',
      body: (
        <>
          <Breadcrumbs steps={[{ text: 'Tokens', href: '/tokens' }]} here="Create" />
          <form method="post" action="/tokens">
            <label>
              Role
              <select name="role">
                {ROLES.map((role) => (
                  <option key={role} value={role}>
                    {role}
                  </option>
                ))}
              </select>
            </label>
            <label>
              Name
              <input
                name="name"
                required
                maxLength={100}
                pattern="[A-Za-z0-9][A-Za-z0-9._\-]*"
                aria-describedby="about-name"
                autocomplete="off"
              />
            </label>
            <p class="hint" id="about-name">
              Letters, digits, dots, hyphens and underscores. A token of the role institution speaks
              for the institution of this name.
            </p>
            <label>
              Valid until the day before, if it ends
              <input type="date" name="expires" />
            </label>
            <div class="actions">
              <button type="submit">Create</button>
            </div>
          </form>
        </>
      ),
    }),
  });
}

export function tokenCreation({ tokens }: Store): FormAction {
  return formAction({
    path: '/tokens',
    roles: TOKEN_KEEPERS,
    form: newToken,
    async submit({ form: { role, name, expires } }) {
      const created = await tokens.create({
        ...{ role, name },
        ...(expires !== '' && { expires: `${expires}T00:00:00.000Z` }),
      });
      return secretPage(`The token of ${name}`, created.token);
    },
  });
}
