import { Breadcrumbs } from '../../../../platform/pages/breadcrumbs.js';
import { WholeDigest } from '../../../../platform/pages/digest.js';
import { Facts } from '../../../../platform/pages/facts.js';
import { Time } from '../../../../platform/pages/time.js';
import { isWaiting } from '../../../../pool-store/members/identities.js';
import type { Store } from '../../../../pool-store/store.js';
import { TacetError } from '../../../../proto/errors.js';
import { APPROVERS } from '../../identity-routes.js';
import { Confirmation } from '../confirmation.js';
import { type FormAction, formAction, type Page, page } from '../page.js';

const PATH = '/identities/{id}/revoke';

/** Asks an administrator before a key ends for good, or is refused. */
export function identityRevocationPage({ identities }: Store): Page {
  return page({
    path: PATH,
    roles: APPROVERS,
    async show({ params }) {
      const identity = await identities.get(params.id);
      const { keyId, name, requested, revoked } = identity;
      if (revoked !== null) throw new TacetError('conflict', 'this key is revoked already');
      const verb = isWaiting(identity) ? 'Refuse' : 'Revoke';
      return {
        title: `${verb} a key of ${name}?`,
        body: (
          <>
            <Breadcrumbs steps={[{ text: 'Keys', href: '/identities' }]} here={verb} />
            <Facts
              facts={[
                ['Name', name],
                ['Key', <WholeDigest of={keyId} />],
                ['Asked for', <Time iso={requested} />],
              ]}
            />
            <Confirmation action={`/identities/${keyId}/revoke`} verb={verb} back="/identities">
              {isWaiting(identity) ? (
                <p>It waits no more. Whoever holds this key may ask for it again.</p>
              ) : (
                <p>
                  From then on nothing that this key signs is accepted, for good; what it signed
                  before stays. {name} needs another key, and where this one leaked, another token
                  too.
                </p>
              )}
            </Confirmation>
          </>
        ),
      };
    },
  });
}

export function identityRevocation({ identities }: Store): FormAction {
  return formAction({
    path: PATH,
    roles: APPROVERS,
    async submit({ params }) {
      await identities.end(params.id);
      return '/identities';
    },
  });
}
