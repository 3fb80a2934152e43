import type { VNode } from 'preact';
import { Breadcrumbs } from '../../../platform/pages/breadcrumbs.js';
import { Notice } from '../../../platform/pages/notice.js';
import { MEMBERS } from '../../../pool-store/members/tokens.js';
import type { Model } from '../../../pool-store/models/models.js';
import type { Store } from '../../../pool-store/store.js';
import { ownOrigin } from '../../http/own-origin.js';
import { type Page, page } from '../../http/pages/page.js';
import { type BundleSignature, signaturesOf } from '../bundle-signatures.js';
import { mayChange } from '../model-changes.js';
import { rowsOf } from './audit-rows.js';
import { AuditsTable } from './audits-table.js';
import { ModelActions } from './model-actions.js';
import { ModelCard, Uses } from './model-card.js';
import { ModelCommands } from './model-commands.js';
import { ModelFiles } from './model-files.js';
import { ModelInShort } from './model-in-short.js';
import { StatusNotice } from './model-status.js';
import { ModelVersions, versionsWithAliases } from './model-versions.js';
import { auditsHref, modelHref, PLACES } from './places.js';
import { PrivacyStatements } from './privacy-statements.js';
import { readableCurve } from './readable-curve.js';
import { readableManifest } from './readable-manifest.js';
import type { RegistryReading } from './registry-reading.js';
import { Signatures } from './signatures.js';

/** One version of a model: what it tells of a note, whose it is, how to use it; an alias leads to its version. */
export function modelPage(reading: RegistryReading): Page {
  const { store, summaries, proxies } = reading;
  const { models } = store;
  return page({
    path: PLACES.model,
    roles: MEMBERS,
    show: async ({ params, token, request }) => {
      const model = await models.get(params.name, params.version);
      if (model.version !== params.version) return modelHref(model);
      const manifest = await readableManifest(store, model.digest);
      const { audits, total } = await summaries.ofModel(model.digest);
      const files = await models.filesOf(model.digest);
      const signatures = await readableSignatures(store, model);
      const curve = await readableCurve(store, files);
      const aliases = await models.aliasesOf(model);
      const rows = await rowsOf(reading, model, audits);
      const versions = await versionsWithAliases(store, model.name);
      return {
        title: `${model.name} ${model.version}`,
        body: (
          <>
            <Breadcrumbs
              steps={[{ text: 'Models', href: PLACES.models }]}
              here={`${model.name} ${model.version}`}
            />
            <StatusNotice {...model} />
            <ModelInShort {...{ model, manifest, audits, aliases }} />
            {manifest ? (
              <>
                <h2>What it tells of a note</h2>
                <PrivacyStatements manifest={manifest} audits={audits} />
              </>
            ) : (
              <Unreadable />
            )}
            <h2>Audits</h2>
            <AuditsTable rows={rows} />
            {total > 0 && (
              <p>
                <a href={auditsHref(model)}>
                  {total === 1 ? 'What it found, in a table' : `All ${total} audits, side by side`}
                </a>
              </p>
            )}
            {manifest && (
              <>
                <h2>What it is for</h2>
                <Uses {...manifest} />
                {model.status !== 'revoked' && (
                  <>
                    <h2>How to verify and use it</h2>
                    <ModelCommands {...{ model, manifest, address: ownOrigin(request, proxies) }} />
                  </>
                )}
                <h2>Its card</h2>
                <ModelCard manifest={manifest} curve={curve} />
              </>
            )}
            <h2>Signatures</h2>
            <Signatures signatures={signatures} />
            <h2>Versions</h2>
            <ModelVersions of={versions} model={model} />
            <h2>Files</h2>
            <ModelFiles files={files} />
            {mayChange(model, token) && <ModelActions model={model} />}
          </>
        ),
      };
    },
  });
}

function Unreadable(): VNode {
  return (
    <Notice kind="danger">
      <p>
        Its manifest cannot be read by this version of Tacet, so that nothing is said here of what
        it is and how far it can be trusted.
      </p>
    </Notice>
  );
}

async function readableSignatures(
  store: Store,
  model: Model,
): Promise<BundleSignature[] | undefined> {
  try {
    return await signaturesOf(store, model);
  } catch {
    return undefined;
  }
}
