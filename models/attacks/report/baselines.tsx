import type { VNode } from 'preact';
import { Interval } from '../../../platform/pages/interval.js';
import { WideTable } from '../../../platform/pages/wide-table.js';
import { percent } from '../../../platform/percent-text.js';
import type { AttackReport } from '../attack.js';

/** What shows that the attacks find what there is to be found. */
export function Baselines({ baselines }: { readonly baselines: readonly AttackReport[] }): VNode {
  if (baselines.length === 0)
    return (
      <p>
        None were run: nothing shows here that these attacks would find what there is to be found.
      </p>
    );
  return (
    <>
      <p>
        The same attacks where they must succeed (upper) and where only labels and length can help
        them (lower). An attack that fails its upper baseline would be broken.
      </p>
      <details>
        <summary>{baselines.length === 1 ? '1 baseline' : `${baselines.length} baselines`}</summary>
        <WideTable
          name="Baselines"
          rows={baselines}
          columns={[
            { heading: 'attack', rowHeading: true, cell: (baseline) => baseline.name },
            { heading: 'baseline', cell: ({ role }) => role },
            {
              heading: 'right',
              number: true,
              cell: ({ success }) => (
                <>
                  {percent(success.value)}
                  <Interval of={success.interval} />
                </>
              ),
            },
            { heading: 'guessing', number: true, cell: ({ chance }) => percent(chance) },
            { heading: 'trials', number: true, cell: ({ trials }) => trials },
          ]}
        />
      </details>
    </>
  );
}
