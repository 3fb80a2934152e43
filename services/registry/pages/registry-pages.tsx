import { MEMBERS } from '../../../pool-store/members/tokens.js';
import type { Store } from '../../../pool-store/store.js';
import { NO_PROXIES, type Proxies } from '../../http/client-address.js';
import type { Limits } from '../../http/limits.js';
import { page } from '../../http/pages/page.js';
import type { StorePages } from '../../http/pages/store-site.js';
import { aliasAction, aliasPage } from './alias-page.js';
import { auditPage } from './audit-page.js';
import { AuditSummaries } from './audit-summaries.js';
import { auditsPage } from './audits-page.js';
import { comparisonPage } from './comparison-page.js';
import { modelAuditsPage } from './model-audits-page.js';
import { modelPage } from './model-page.js';
import { modelsPage } from './models-page.js';
import { PLACES } from './places.js';
import { DEPRECATION, REVOCATION, statusForm, statusPage } from './status-pages.js';

/** The registry for people: which models there are, how far each can be trusted, and what changed. */
export function registryPages(
  store: Store,
  limits: Pick<Limits, 'reserveBytes'>,
  proxies: Proxies = NO_PROXIES,
): StorePages {
  const reading = { store, proxies, limits, summaries: new AuditSummaries(store.catalog) };
  return {
    title: 'Registry',
    pages: [
      page({ path: '/', roles: MEMBERS, show: () => PLACES.models }),
      modelsPage(reading),
      auditsPage(reading),
      comparisonPage(reading),
      modelPage(reading),
      modelAuditsPage(reading),
      auditPage(reading),
      statusPage(reading, DEPRECATION),
      statusPage(reading, REVOCATION),
      aliasPage(reading),
    ],
    forms: [
      statusForm(reading, DEPRECATION),
      statusForm(reading, REVOCATION),
      aliasAction(reading),
    ],
    links: [
      { href: PLACES.models, label: 'Models', roles: MEMBERS },
      { href: PLACES.audits, label: 'Audits', roles: MEMBERS },
    ],
  };
}
