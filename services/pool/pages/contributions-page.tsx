import type { VNode } from 'preact';
import type { Store } from '../../../pool-store/store.js';
import { Type } from '../../../proto/typebox.js';
import { closedObject } from '../../../proto/typed-schema.js';
import { validator } from '../../../proto/validator.js';
import { type Page, page } from '../../http/pages/page.js';
import { extentOf, PAGE_NUMBER, QueryPages } from '../../http/pages/paging.js';
import { scopeOf } from '../contribution-access.js';
import { CONTRIBUTION_READERS } from '../roles.js';
import { ContributionsTable } from './contributions-table.js';
import { modelNames, namedModels } from './model-name.js';

const STATES = ['kept', 'withdrawn'] as const;
/** Models that may be chosen from. */
const MOST_MODELS = 100;

const filterQuery = validator(
  closedObject({
    page: PAGE_NUMBER,
    state: Type.Optional(Type.Enum(['', ...STATES])),
    model: Type.Optional(Type.String({ pattern: '^([0-9a-f]{64})?$' })),
  }),
  'request-invalid',
  'the query',
);

/** What was given, newest first; an institution sees its own. */
export function contributionsPage(store: Store): Page {
  const { contributionIndex } = store;
  return page({
    path: '/contributions',
    roles: CONTRIBUTION_READERS,
    query: filterQuery,
    async show({ query, token }) {
      const institution = scopeOf(token);
      const filter = {
        institution,
        state: query.state || undefined,
        model: query.model || undefined,
      };
      const { rows, total } = await contributionIndex.page(filter, extentOf(query));
      const given = await contributionIndex.models(institution, MOST_MODELS);
      const models = await namedModels(store, given);
      const names = await modelNames(
        store,
        rows.map(({ model }) => model),
      );
      return {
        title: 'Contributions',
        body: (
          <>
            <p>
              {institution === undefined
                ? 'What institutions gave: noisy vectors with their labels, signed.'
                : `What ${institution} gave: noisy vectors with their labels, signed. No other institution sees it here.`}
            </p>
            <Filters models={models} query={query} />
            <ContributionsTable names={names} rows={rows} empty="There are none." />
            <QueryPages path="/contributions" query={query} total={total} />
          </>
        ),
      };
    },
  });
}

interface FiltersProps {
  readonly models: readonly { readonly digest: string; readonly text: string }[];
  readonly query: { readonly state?: string; readonly model?: string };
}

function Filters({ models, query: { state = '', model = '' } }: FiltersProps): VNode {
  return (
    <form method="get" action="/contributions" class="filters">
      <label>
        State
        <select name="state">
          <option value="">all</option>
          {STATES.map((each) => (
            <option key={each} value={each} selected={each === state}>
              {each === 'kept' ? 'held' : each}
            </option>
          ))}
        </select>
      </label>
      <label>
        Model
        <select name="model">
          <option value="">all</option>
          {models.map(({ digest, text }) => (
            <option key={digest} value={digest} selected={digest === model}>
              {text}
            </option>
          ))}
        </select>
      </label>
      <button type="submit" class="quiet">
        Show
      </button>
    </form>
  );
}
