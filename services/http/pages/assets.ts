import { readFileSync } from 'node:fs';
import type { RequestHandler } from 'express';
import { STYLESHEET } from '../../../platform/pages/stylesheet.js';
import { sha256Hex } from '../../../proto/digest.js';
import { TacetError } from '../../../proto/errors.js';

/** A file that pages load. */
export interface Asset {
  readonly type: 'text/css' | 'text/javascript';
  readonly text: string;
}

/** The stylesheet that all pages share. */
export const STYLE: Readonly<Record<'page.css', Asset>> = {
  'page.css': { type: 'text/css', text: STYLESHEET },
};

const DIGEST_CHARACTERS = 16;

const IMPORT = /(\bfrom ')[^']*\/([\w-]+\.js)'/g;

/**
 * The stylesheet and the browser modules of a site, each under a path that its content is part of. A module
 * stands after those that it imports.
 */
export class Assets {
  readonly #byPath = new Map<string, Asset>();
  readonly #paths = new Map<string, string>();

  constructor(files: Readonly<Record<string, Asset>>) {
    for (const [name, { type, text: written }] of Object.entries(files)) {
      const text = type === 'text/javascript' ? this.#withPaths(written) : written;
      const path = `/assets/${sha256Hex(text).slice(0, DIGEST_CHARACTERS)}/${name}`;
      this.#byPath.set(path, { type, text });
      this.#paths.set(name, path);
    }
  }

  /** Throws `internal` for a file that the site does not have. */
  pathOf(name: string): string {
    const path = this.#paths.get(name);
    if (path === undefined) throw new TacetError('internal', `the site has no file ${name}`);
    return path;
  }

  /** Imports name the files of other modules by their paths here. */
  #withPaths(text: string): string {
    return text.replace(IMPORT, (_, start, name) => `${start}${this.pathOf(name)}'`);
  }

  /** Browsers keep what they were sent: another content has another path. */
  readonly serve: RequestHandler = (request, response) => {
    const asset = this.#byPath.get(request.path);
    if (!asset) throw new TacetError('not-found', 'there is no such file');
    response
      .set('Cache-Control', 'public, max-age=31536000, immutable')
      .type(asset.type)
      .send(asset.text);
  };
}

/** A compiled module for browsers that stands in the folder `browser` beside `module`. */
export function browserModule(module: string, name: string): Asset {
  return moduleAt(new URL(`./browser/${name}`, module));
}

/** A compiled module that imports nothing of Node, so that browsers can run it too. */
export function moduleAt(file: URL): Asset {
  const text = readFileSync(file, 'utf8');
  return { type: 'text/javascript', text: text.replace(/^\/\/# sourceMappingURL=.*$/m, '') };
}
