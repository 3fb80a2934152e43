import { Command } from '../../../../platform/pages/command.js';
import { MEMBERS } from '../../../../pool-store/members/tokens.js';
import type { Store } from '../../../../pool-store/store.js';
import { signedHead } from '../../log-routes.js';
import { type Page, page } from '../page.js';
import { HeadFacts } from './head-facts.js';

/** The signed head of the log, for whoever takes part to keep. */
export function logHeadPage(store: Store): Page {
  return page({
    path: '/log/head',
    roles: MEMBERS,
    async show() {
      const head = await signedHead(store);
      return {
        title: 'Head of the log',
        body: (
          <>
            <p>
              The hash of the newest change of the store, signed by the server. It follows from
              every change before it: with a head that you keep, an auditor can show that nothing
              was altered or taken away since, your own withdrawals included.
            </p>
            <HeadFacts head={head} />
            <h2>To keep</h2>
            <p>
              Save this where the server cannot reach it. An auditor can paste it into the page of
              the log.
            </p>
            <Command>{JSON.stringify(head)}</Command>
          </>
        ),
      };
    },
  });
}
