import { Breadcrumbs } from '../../../platform/pages/breadcrumbs.js';
import { type Page, page } from '../../http/pages/page.js';
import { CONTRIBUTION_READERS, SNAPSHOT_READERS, WITHDRAWERS } from '../roles.js';
import { HoldingFacts, Segments, SignatureFacts } from './contribution-facts.js';
import { ContributionState } from './contribution-state.js';
import { modelNames } from './model-name.js';
import type { PoolPagesSetting } from './pool-setting.js';
import { PrivacyFacts } from './privacy-facts.js';
import { UsesTable } from './uses-table.js';

/** All that is known of a contribution. */
export function contributionPage({ store, access }: PoolPagesSetting): Page {
  const { contributions } = store;
  return page({
    path: '/contributions/{id}',
    roles: CONTRIBUTION_READERS,
    async show({ params, token }) {
      const contribution = await access.get(params.id, token);
      const { id, institution, withdrawn } = contribution;
      const manifest = await contributions.manifestOf(id);
      const segments = await contributions.segmentsOf(id);
      const names = await modelNames(store, [contribution.model]);
      const bundle = await store.models.manifestOf(contribution.model);
      const all = { names, bundle, contribution, manifest, segments };
      const uses = await access.usesOf(id, token);
      return {
        title: `A contribution of ${institution}`,
        body: (
          <>
            <Breadcrumbs
              steps={[{ text: 'Contributions', href: '/contributions' }]}
              here={`${id.slice(0, 12)}…`}
            />
            <p>
              <ContributionState withdrawn={withdrawn} />
            </p>
            {withdrawn === null && WITHDRAWERS.includes(token.role) && (
              <p class="actions">
                <a class="button quiet" href={`/contributions/${id}/withdraw`}>
                  Withdraw it …
                </a>
              </p>
            )}
            <h2>What it tells, and of whom</h2>
            <PrivacyFacts contribution={contribution} manifest={manifest} />
            <h2>What it holds</h2>
            {withdrawn !== null && <p>Its bytes are erased; this is what they were.</p>}
            <HoldingFacts {...all} />
            <Segments segments={segments} />
            <h2>What was signed</h2>
            <SignatureFacts {...all} />
            <h2>What became of it</h2>
            <UsesTable uses={uses} linked={SNAPSHOT_READERS.includes(token.role)} />
          </>
        ),
      };
    },
  });
}
