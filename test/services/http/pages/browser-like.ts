/** Sends what a browser sends, and keeps its cookies; it goes nowhere by itself. */
export interface BrowserLike {
  readonly cookies: ReadonlyMap<string, string>;
  open(path: string): Promise<Response>;
  /** A form of the site's own, unless `headers` say otherwise. */
  submit(
    path: string,
    fields: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Response>;
}

export function browserLike(url: string): BrowserLike {
  const cookies = new Map<string, string>();
  const send = async (path: string, init: RequestInit) => {
    const answer = await fetch(new URL(path, url), {
      ...init,
      redirect: 'manual',
      headers: {
        Accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
        Cookie: [...cookies].map((pair) => pair.join('=')).join('; '),
        ...(init.headers as Record<string, string>),
      },
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (name === undefined || value === undefined) continue;
      if (/; Max-Age=0/.test(cookie)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  };
  return {
    cookies,
    open: (path) => send(path, {}),
    submit: (path, fields, headers = {}) =>
      send(path, {
        method: 'POST',
        body: new URLSearchParams(fields),
        headers: { Origin: new URL(url).origin, ...headers },
      }),
  };
}

/** What another service of the host name is sent once its pages are visited, since cookies know no ports. */
export function cookieOf(browser: BrowserLike, name: string): string {
  const value = browser.cookies.get(name);
  if (!value) throw new Error(`this browser has no cookie ${name}`);
  return decodeURIComponent(value);
}

/** Whom a path is shown to: the status of who sends a cookie, and of who sends its value as a bearer token. */
export async function statusesOf(
  url: string,
  [page, api]: readonly [string, string],
  name: string,
  value: string,
): Promise<number[]> {
  const asked = [
    fetch(url + page, {
      redirect: 'manual',
      headers: { Accept: 'text/html', Cookie: `${name}=${encodeURIComponent(value)}` },
    }),
    fetch(url + api, { headers: { Authorization: `Bearer ${value}` } }),
  ];
  return (await Promise.all(asked)).map(({ status }) => status);
}

/** One that has logged in. */
export async function loggedIn(url: string, token: string): Promise<BrowserLike> {
  const browser = browserLike(url);
  await browser.submit('/login', { token });
  return browser;
}
