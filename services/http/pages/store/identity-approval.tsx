import { Breadcrumbs } from '../../../../platform/pages/breadcrumbs.js';
import { WholeDigest } from '../../../../platform/pages/digest.js';
import { Facts } from '../../../../platform/pages/facts.js';
import { Time } from '../../../../platform/pages/time.js';
import type { Identities, Identity } from '../../../../pool-store/members/identities.js';
import type { Store } from '../../../../pool-store/store.js';
import { TacetError } from '../../../../proto/errors.js';
import { APPROVERS } from '../../identity-routes.js';
import { Confirmation } from '../confirmation.js';
import { type FormAction, formAction, type Page, page } from '../page.js';

const PATH = '/identities/{id}/approve';

/** Asks an administrator to compare a key before it counts. */
export function identityApprovalPage({ identities }: Store): Page {
  return page({
    path: PATH,
    roles: APPROVERS,
    async show({ params }) {
      const { keyId, name, requested } = await waiting(identities, params.id);
      return {
        title: `Approve a key of ${name}?`,
        body: (
          <>
            <Breadcrumbs steps={[{ text: 'Keys', href: '/identities' }]} here="Approve" />
            <Facts
              facts={[
                ['Name', name],
                ['Key', <WholeDigest of={keyId} />],
                ['Asked for', <Time iso={requested} />],
              ]}
            />
            <Confirmation action={`/identities/${keyId}/approve`} verb="Approve" back="/identities">
              <p>
                Compare the whole key with what {name} tells you in another way, by telephone for
                instance: whoever has the token of this name could have asked for it. From then on
                whatever the key signs counts as theirs, until it is revoked.
              </p>
            </Confirmation>
          </>
        ),
      };
    },
  });
}

export function identityApproval({ identities }: Store): FormAction {
  return formAction({
    path: PATH,
    roles: APPROVERS,
    async submit({ params }) {
      await identities.approve(params.id);
      return '/identities';
    },
  });
}

async function waiting(identities: Identities, keyId: string): Promise<Identity> {
  const identity = await identities.get(keyId);
  if (identity.revoked !== null) throw new TacetError('conflict', 'this key is revoked');
  if (identity.approved === null) return identity;
  throw new TacetError('conflict', 'this key is approved already');
}
