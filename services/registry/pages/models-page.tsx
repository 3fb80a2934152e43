import { MEMBERS } from '../../../pool-store/members/tokens.js';
import { searchModels, statedLanguages } from '../../../pool-store/models/model-search.js';
import { type Page, page } from '../../http/pages/page.js';
import { extentOf, QueryPages } from '../../http/pages/paging.js';
import { filterOf, ModelsFilter, modelsQuery } from './models-filter.js';
import { ModelsTable, modelRows } from './models-table.js';
import { PLACES } from './places.js';
import type { RegistryReading } from './registry-reading.js';

const MODELS_PER_PAGE = 25;
const MOST_LANGUAGES = 100;

/** What is published, newest first. */
export function modelsPage(reading: RegistryReading): Page {
  const { catalog } = reading.store;
  return page({
    path: PLACES.models,
    roles: MEMBERS,
    query: modelsQuery,
    show: async ({ query }) => {
      const part = extentOf(query, MODELS_PER_PAGE);
      const { rows, total } = await searchModels(catalog, filterOf(query), part);
      const languages = await statedLanguages(catalog, MOST_LANGUAGES);
      const models = await modelRows(reading, rows);
      return {
        title: 'Models',
        body: (
          <>
            <ModelsFilter query={query} languages={languages} />
            <ModelsTable rows={models} />
            <QueryPages path={PLACES.models} query={query} total={total} rows={MODELS_PER_PAGE} />
            <p class="note">
              F1 and limit are what the publisher states, with 95 % intervals: how much PHI a
              de-identifier finds, and in how many of the cases any attacker whatever can be right
              about one changed word in one release, as a mean (50 % is a coin). Attacks are what
              auditors tried; what none of them could do, another may. Bold is better than guessing
              beyond luck.
            </p>
          </>
        ),
      };
    },
  });
}
