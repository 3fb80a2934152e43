import type { Assets } from './assets.js';
import type { FormAction, Page, Reader } from './page.js';
import type { Readers } from './readers.js';

/** A place that the navigation of a site leads to. */
export interface NavigationLink {
  readonly href: string;
  readonly label: string;
}

/** The pages of a service, and how they know who reads them. */
export interface Site {
  /** As people call the service, such as `Registry`. */
  readonly title: string;
  readonly pages: readonly Page[];
  readonly forms: readonly FormAction[];
  readonly readers: Readers;
  readonly assets: Assets;
  /** What a reader may go to from everywhere. */
  navigation(reader: Reader): readonly NavigationLink[];
}
