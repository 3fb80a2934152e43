import type { Role } from '../../../pool-store/members/tokens.js';
import { type Asset, Assets, STYLE } from './assets.js';
import type { FormAction, Page } from './page.js';
import type { NavigationLink, Site } from './site.js';
import { type StoreLogins, StoreReaders } from './store-readers.js';

/** A place of the navigation, for tokens of these roles. */
export interface RoleLink extends NavigationLink {
  readonly roles: readonly Role[];
}

/** The pages of a service over a store. */
export interface StorePages {
  /** As people call the service. */
  readonly title: string;
  readonly pages: readonly Page[];
  readonly forms: readonly FormAction[];
  readonly links: readonly RoleLink[];
  /** Browser modules by name. */
  readonly modules?: Readonly<Record<string, Asset>>;
}

/** The site of a service over a store, whose readers hold the store's tokens; `name` names their cookie. */
export function storeSite(
  name: string,
  { title, pages, forms, links, modules }: StorePages,
  logins: StoreLogins,
): Site {
  return {
    ...{ title, pages, forms },
    readers: new StoreReaders(name, logins),
    assets: new Assets({ ...STYLE, ...modules }),
    navigation: ({ token }) => links.filter(({ roles }) => token && roles.includes(token.role)),
  };
}
