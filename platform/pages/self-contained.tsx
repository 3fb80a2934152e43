import { createHash } from 'node:crypto';
import type { VNode } from 'preact';
import { Head } from './head.js';
import { InlineStyle } from './inline-style.js';
import { markupOf } from './markup.js';
import { STYLESHEET } from './stylesheet.js';

const DIGEST = createHash('sha256').update(STYLESHEET).digest('base64');
const POLICY = `default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'sha256-${DIGEST}'`;

/** The end of a page that `selfContainedStart` began. */
export const PAGE_END = '</body>\n</html>\n';

/** One file that is a whole page: it may load and run nothing at all, and use our style alone. */
export function selfContainedPage(title: string, body: VNode): string {
  return `${selfContainedStart(title)}${markupOf(body)}\n${PAGE_END}`;
}

/** The same up to its body, for a page that is written piece by piece. */
export function selfContainedStart(title: string): string {
  const head = (
    <Head title={title}>
      <meta http-equiv="Content-Security-Policy" content={POLICY} />
      <InlineStyle css={STYLESHEET} />
    </Head>
  );
  return `<!doctype html>\n<html lang="en">\n${markupOf(head)}\n<body>\n`;
}
