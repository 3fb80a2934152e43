import { Breadcrumbs } from '../../../platform/pages/breadcrumbs.js';
import { WideTable } from '../../../platform/pages/wide-table.js';
import { aliasesOfName } from '../../../pool-store/models/model-search.js';
import { NAME } from '../../../proto/schemas.js';
import { closedObject } from '../../../proto/typed-schema.js';
import { validator } from '../../../proto/validator.js';
import { type FormAction, formAction, type Page, page } from '../../http/pages/page.js';
import { CHANGERS, requireOwner, setAlias } from '../model-changes.js';
import { modelHref, PLACES } from './places.js';
import type { RegistryReading } from './registry-reading.js';

const MOST_ALIASES = 100;

const aliasForm = validator(closedObject({ alias: NAME }), 'request-invalid', 'the form');

/** Asks by which alias a version is to be found. */
export function aliasPage({ store: { models, catalog } }: RegistryReading): Page {
  return page({
    path: PLACES.alias,
    roles: CHANGERS,
    show: async ({ params: { name, version }, token }) => {
      const model = await models.get(name, version);
      const href = modelHref(model);
      if (model.version !== version) return href;
      requireOwner([model], name, token);
      const aliases = await aliasesOfName(catalog, name, MOST_ALIASES);
      return {
        title: `An alias for ${name} ${version}`,
        body: (
          <>
            <Breadcrumbs
              steps={[
                { text: 'Models', href: PLACES.models },
                { text: `${name} ${version}`, href },
              ]}
              here="Set an alias"
            />
            <p>
              From now on the alias means this version, for everyone who asks for it. One that means
              another version is taken from that. <code>latest</code> means the highest version that
              is not revoked, until it is set.
            </p>
            <form method="post" action={`${href}/alias`}>
              <label for="alias">Alias</label>
              <p class="hint" id="alias-hint">
                Letters, digits, dots, hyphens and underscores; nothing that looks like a version.
              </p>
              <input
                id="alias"
                name="alias"
                required
                pattern="[A-Za-z0-9][A-Za-z0-9._\-]{0,99}"
                aria-describedby="alias-hint"
                autocomplete="off"
              />
              <div class="actions">
                <button type="submit">Set it</button>
                <a href={href}>No, leave it as it is</a>
              </div>
            </form>
            <h2>What aliases of {name} mean now</h2>
            <WideTable
              name="Aliases"
              columns={[
                { heading: 'alias', rowHeading: true, cell: ({ alias }) => alias },
                { heading: 'means', cell: (each) => each.version },
              ]}
              rows={aliases}
              empty={<p>There is none.</p>}
            />
          </>
        ),
      };
    },
  });
}

/** Makes an alias mean a version, and leads back to it. */
export function aliasAction({ store, limits }: RegistryReading): FormAction {
  return formAction({
    path: PLACES.alias,
    roles: CHANGERS,
    form: aliasForm,
    submit: async ({ params: { name, version }, form: { alias }, token }) =>
      modelHref(await setAlias(store, { name, alias, version }, token, limits)),
  });
}
