import type { VNode } from 'preact';
import { Breadcrumbs } from '../../../platform/pages/breadcrumbs.js';
import { Notice } from '../../../platform/pages/notice.js';
import { MEMBERS } from '../../../pool-store/members/tokens.js';
import type { Model } from '../../../pool-store/models/models.js';
import { type Page, page } from '../../http/pages/page.js';
import { Differences } from './differences.js';
import { manifestDifference } from './manifest-difference.js';
import { StatusNotice } from './model-status.js';
import { comparisonHref, modelHref, PLACES } from './places.js';
import { readableManifest } from './readable-manifest.js';
import type { RegistryReading } from './registry-reading.js';
import { standingDifference } from './standing-difference.js';

/** What changed from one version of a name to another. */
export function comparisonPage(reading: RegistryReading): Page {
  const { store } = reading;
  return page({
    path: PLACES.comparison,
    roles: MEMBERS,
    show: async ({ params: { name, a, b } }) => {
      const from = await store.models.get(name, a);
      const to = await store.models.get(name, b);
      if (from.version !== a || to.version !== b)
        return comparisonHref(name, from.version, to.version);
      const before = await readableManifest(store, from.digest);
      const after = await readableManifest(store, to.digest);
      const standing = await standingDifference(reading, from, to);
      return {
        title: `${name}: from ${a} to ${b}`,
        body: (
          <>
            <Breadcrumbs
              steps={[
                { text: 'Models', href: PLACES.models },
                { text: `${name} ${b}`, href: modelHref(to) },
              ]}
              here={`From ${a} to ${b}`}
            />
            <StatusNotice {...to} />
            <p>
              <Version of={from} /> beside <Version of={to} />;{' '}
              <a href={comparisonHref(name, b, a)}>the other way round</a>.
            </p>
            {(!before || !after) && (
              <Notice kind="danger">
                <p>One of the two manifests cannot be read by this version of Tacet.</p>
              </Notice>
            )}
            <Differences
              parts={[standing, ...(before && after ? manifestDifference(before, after) : [])]}
              versions={[a, b]}
            />
          </>
        ),
      };
    },
  });
}

function Version({ of: model }: { readonly of: Model }): VNode {
  return <a href={modelHref(model)}>{model.version}</a>;
}
