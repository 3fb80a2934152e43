import type { VNode } from 'preact';
import { amountText, countText } from '../../../platform/amount-text.js';
import { Breadcrumbs } from '../../../platform/pages/breadcrumbs.js';
import { Facts } from '../../../platform/pages/facts.js';
import { Time } from '../../../platform/pages/time.js';
import { TacetError } from '../../../proto/errors.js';
import { Confirmation } from '../../http/pages/confirmation.js';
import { type FormAction, formAction, type Page, page } from '../../http/pages/page.js';
import { WITHDRAWERS } from '../roles.js';
import type { PoolPagesSetting } from './pool-setting.js';

const PATH = '/contributions/{id}/withdraw';

/** Says what withdrawing does and what it cannot do, and asks once more. */
export function withdrawalPage({ access }: PoolPagesSetting): Page {
  return page({
    path: PATH,
    roles: WITHDRAWERS,
    async show({ params, token }) {
      const { id, institution, received, sentences, withdrawn } = await access.get(
        params.id,
        token,
      );
      if (withdrawn !== null)
        throw new TacetError('withdrawn', 'this contribution is withdrawn already');
      const { total, runs } = await access.usesOf(id, token);
      return {
        title: 'Withdraw a contribution?',
        body: (
          <>
            <Breadcrumbs
              steps={[
                { text: 'Contributions', href: '/contributions' },
                { text: `${id.slice(0, 12)}…`, href: `/contributions/${id}` },
              ]}
              here="Withdraw"
            />
            <Facts
              facts={[
                ['Institution', institution],
                ['Received', <Time iso={received} />],
                ['Sentences', countText(sentences)],
              ]}
            />
            <Confirmation
              action={`/contributions/${id}/withdraw`}
              verb="Withdraw it for good"
              back={`/contributions/${id}`}
              danger
            >
              <Consequences snapshots={total} runs={runs} />
            </Confirmation>
          </>
        ),
      };
    },
  });
}

export function withdrawal({ access }: PoolPagesSetting): FormAction {
  return formAction({
    path: PATH,
    roles: WITHDRAWERS,
    async submit({ params, token }) {
      const { id } = await access.withdraw(params.id, token);
      return `/contributions/${id}`;
    },
  });
}

interface ConsequencesProps {
  readonly snapshots: number;
  readonly runs: number;
}

function Consequences({ snapshots, runs }: ConsequencesProps): VNode {
  return (
    <>
      <h2>What it does</h2>
      <ul>
        <li>The pool erases its bytes before it answers. They never come back.</li>
        <li>
          {snapshots === 0
            ? 'No snapshot holds it.'
            : `${amountText(snapshots, 'snapshot')} that ${snapshots === 1 ? 'holds' : 'hold'} it can be read no more: whoever asks is answered 410, gone.`}
        </li>
        <li>What was signed, when it was received and when it was withdrawn stay on record.</li>
      </ul>
      <h2>What it cannot do</h2>
      <ul>
        <li>
          {runs === 0
            ? 'No training run has said that it learned from it; one that did and kept silent would keep what it learned.'
            : `${amountText(runs, 'training run')} used it: models that were trained already have learned from it, and keep that.`}
        </li>
        <li>Whoever read a snapshot before may still have what they read.</li>
        <li>
          The sentences count as released in the institution's ledger: to give them again takes a
          new budget.
        </li>
      </ul>
    </>
  );
}
