import type { VNode } from 'preact';
import type { Reader, Shown } from './page.js';
import type { NavigationLink } from './site.js';

/** What surrounds every page of a site. */
export interface Frame {
  /** Of the site. */
  readonly title: string;
  readonly navigation: readonly NavigationLink[];
  /** The path that is shown. */
  readonly path: string;
  /** Who has logged in and could leave again. */
  readonly reader?: Reader | undefined;
  readonly stylesheet: string;
  /** Paths of the modules that the page asks for. */
  readonly modules: readonly string[];
}

/** A page of a site in its frame, as a whole document. */
export function Layout({ frame, shown }: { readonly frame: Frame; readonly shown: Shown }): VNode {
  const { title, stylesheet, modules } = frame;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${shown.title} · Tacet ${title.toLowerCase()}`}</title>
        {shown.goesOnTo !== undefined && (
          <meta http-equiv="refresh" content={`0; url=${shown.goesOnTo}`} />
        )}
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href={stylesheet} />
        {modules.map((module) => (
          <script key={module} type="module" src={module} />
        ))}
      </head>
      <body>
        <a class="skip" href="#content">
          Skip to the content
        </a>
        <SiteHeader {...frame} />
        <main id="content">
          <h1>{shown.title}</h1>
          {shown.body}
        </main>
      </body>
    </html>
  );
}

function SiteHeader({ title, navigation, path, reader }: Frame): VNode {
  const current = longestPrefix(navigation, path);
  return (
    <header class="site">
      <div>
        <a class="name" href="/">
          <strong>Tacet</strong> {title}
        </a>
        {navigation.length > 0 && (
          <nav aria-label="Main">
            <ul>
              {navigation.map(({ href, label }) => (
                <li key={href}>
                  <a href={href} aria-current={href === current ? 'page' : undefined}>
                    {label}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        )}
        {reader && (
          <form method="post" action="/logout">
            <span class="hint">
              {reader.name}
              {reader.token && `, ${reader.token.role}`}
            </span>{' '}
            <button type="submit" class="quiet">
              Log out
            </button>
          </form>
        )}
      </div>
    </header>
  );
}

/** The link whose place the path lies in. */
function longestPrefix(links: readonly NavigationLink[], path: string): string | undefined {
  return links
    .map(({ href }) => href)
    .filter((href) => path === href || path.startsWith(`${href}/`))
    .sort((a, b) => b.length - a.length)
    .at(0);
}
