import { MEMBERS } from '../../../../pool-store/members/tokens.js';
import type { Store } from '../../../../pool-store/store.js';
import { LOG_READERS } from '../../log-routes.js';
import { TOKEN_KEEPERS } from '../../token-routes.js';
import { browserModule, moduleAt } from '../assets.js';
import type { StorePages } from '../store-site.js';
import { identitiesPage } from './identities-page.js';
import { identityApproval, identityApprovalPage } from './identity-approval.js';
import { identityRevocation, identityRevocationPage } from './identity-revocation.js';
import { logHeadPage } from './log-head-page.js';
import { logEntries, logPage, VERIFY_LOG } from './log-page.js';
import { newTokenPage, tokenCreation } from './new-token.js';
import {
  tokenRevocation,
  tokenRevocationPage,
  tokenRotation,
  tokenRotationPage,
} from './token-changes.js';
import { tokensPage } from './tokens-page.js';

/** The pages of a service, and those that every service over a store has beside its own: keys, tokens, the log. */
export function withStorePages({ title, ...own }: StorePages, store: Store): StorePages {
  return {
    title,
    pages: [
      ...own.pages,
      ...[identitiesPage(store), identityApprovalPage(store), identityRevocationPage(store)],
      ...[tokensPage(store), newTokenPage(), tokenRotationPage(store), tokenRevocationPage(store)],
      ...[logPage(store), logEntries(store), logHeadPage(store)],
    ],
    forms: [
      ...own.forms,
      ...[identityApproval(store), identityRevocation(store)],
      ...[tokenCreation(store), tokenRotation(store), tokenRevocation(store)],
    ],
    links: [
      ...own.links,
      { href: '/identities', label: 'Keys', roles: MEMBERS },
      { href: '/tokens', label: 'Tokens', roles: TOKEN_KEEPERS },
      { href: '/log', label: 'Log', roles: LOG_READERS },
      {
        href: '/log/head',
        label: 'Log',
        roles: MEMBERS.filter((role) => !LOG_READERS.includes(role)),
      },
    ],
    modules: {
      ...own.modules,
      'log-entry.js': moduleAt(new URL('../../../../pool-store/log/log-entry.js', import.meta.url)),
      'pasted-head.js': browserModule(import.meta.url, 'pasted-head.js'),
      'chain-walk.js': browserModule(import.meta.url, 'chain-walk.js'),
      'findings.js': browserModule(import.meta.url, 'findings.js'),
      [VERIFY_LOG]: browserModule(import.meta.url, VERIFY_LOG),
    },
  };
}
