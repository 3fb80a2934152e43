import type { VNode } from 'preact';
import type { AttackReport } from '../attack.js';
import { SliceTable } from './slice-table.js';
import { DID } from './verdict.js';

/** What each attack does best on; of the many on pairs the strongest. */
export function WhoIsHit({ attacks }: { readonly attacks: readonly AttackReport[] }): VNode | null {
  const kindOf = ({ task, attack }: AttackReport) => (task === 'tell a pair apart' ? task : attack);
  const sliced = attacks.filter(
    (attack, i) =>
      attack.slices.length > 0 &&
      attacks.findIndex((other) => kindOf(other) === kindOf(attack)) === i,
  );
  if (sliced.length === 0) return null;
  return (
    <>
      <h2>Who is hit</h2>
      <p>
        Attacks by what they were tried on, of those on pairs the strongest; groups of fewer than
        ten trials or five notes are left out.
      </p>
      {sliced.map(({ name: attackName, task, slices }) => (
        <details>
          <summary>
            The attack that {DID[task]} ({attackName})
          </summary>
          <SliceTable of={attackName} slices={slices} heading="right" />
        </details>
      ))}
    </>
  );
}
