import type { VNode } from 'preact';
import { Breadcrumbs } from '../../../../platform/pages/breadcrumbs.js';
import type { Store } from '../../../../pool-store/store.js';
import { TOKEN_KEEPERS } from '../../token-routes.js';
import { Confirmation } from '../confirmation.js';
import { type FormAction, formAction, type Page, page } from '../page.js';
import { secretPage } from './secret-page.js';

const ROTATION = '/tokens/{id}/rotate';
const REVOCATION = '/tokens/{id}/revoke';

export function tokenRotationPage({ tokens }: Store): Page {
  return page({
    path: ROTATION,
    roles: TOKEN_KEEPERS,
    async show({ params, token }) {
      const { id, name, role } = await tokens.get(params.id);
      return {
        title: 'A new secret for a token?',
        body: (
          <>
            <Trail here="Rotate" />
            <Confirmation action={`/tokens/${id}/rotate`} verb="Rotate" back="/tokens" danger>
              <p>
                The token <code>{id}</code> of {name}, {role}, gets another secret, which is shown
                once. The old one is worth nothing from that moment on.
              </p>
              <OwnToken isOwn={token.id === id} />
            </Confirmation>
          </>
        ),
      };
    },
  });
}

export function tokenRotation({ tokens }: Store): FormAction {
  return formAction({
    path: ROTATION,
    roles: TOKEN_KEEPERS,
    async submit({ params }) {
      const { token } = await tokens.rotate(params.id);
      return secretPage(`The new secret of ${params.id}`, token);
    },
  });
}

export function tokenRevocationPage({ tokens }: Store): Page {
  return page({
    path: REVOCATION,
    roles: TOKEN_KEEPERS,
    async show({ params, token }) {
      const { id, name, role } = await tokens.get(params.id);
      return {
        title: 'Revoke a token?',
        body: (
          <>
            <Trail here="Revoke" />
            <Confirmation action={`/tokens/${id}/revoke`} verb="Revoke" back="/tokens" danger>
              <p>
                The token <code>{id}</code> of {name}, {role}, is refused from that moment on, for
                good. What was given under it stays.
              </p>
              <OwnToken isOwn={token.id === id} />
            </Confirmation>
          </>
        ),
      };
    },
  });
}

export function tokenRevocation({ tokens }: Store): FormAction {
  return formAction({
    path: REVOCATION,
    roles: TOKEN_KEEPERS,
    async submit({ params }) {
      await tokens.revoke(params.id);
      return '/tokens';
    },
  });
}

function Trail({ here }: { readonly here: string }): VNode {
  return <Breadcrumbs steps={[{ text: 'Tokens', href: '/tokens' }]} here={here} />;
}

function OwnToken({ isOwn }: { readonly isOwn: boolean }): VNode | null {
  if (!isOwn) return null;
  return (
    <p>
      <strong>It is the one that you are logged in with:</strong> you will have to log in anew.
    </p>
  );
}
