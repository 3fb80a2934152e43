import { Command } from '../../../../platform/pages/command.js';
import { Notice } from '../../../../platform/pages/notice.js';
import type { Shown } from '../page.js';

/** A token's text, in the one answer that ever holds it. */
export function secretPage(title: string, secret: string): Shown {
  return {
    title,
    status: 201,
    body: (
      <>
        <Notice>
          <p>
            <strong>It is shown this once.</strong> Copy it now, into a file that its holder alone
            can read; nobody can ask for it again, but it can be replaced by another.
          </p>
        </Notice>
        <Command>{secret}</Command>
        <p>
          <a href="/tokens">Back to the tokens</a>
        </p>
      </>
    ),
  };
}
