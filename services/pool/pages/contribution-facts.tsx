import type { VNode } from 'preact';
import { amountText, bytesText, countText } from '../../../platform/amount-text.js';
import { Digest, WholeDigest } from '../../../platform/pages/digest.js';
import { Facts } from '../../../platform/pages/facts.js';
import { Time } from '../../../platform/pages/time.js';
import type { Contribution } from '../../../pool-store/contributions/contribution-records.js';
import type { SegmentRecord } from '../../../pool-store/segments/segment-records.js';
import type { ContributionManifest } from '../../../proto/contribution.js';
import { treatmentText } from '../../../proto/entity-treatment.js';
import { labelsText } from './labels-text.js';
import { ModelName, type ModelNames } from './model-name.js';

interface ContributionFactsProps {
  readonly names: ModelNames;
  /** Of the model, undefined where the store does not hold it. */
  readonly bundle: unknown;
  readonly contribution: Contribution;
  readonly manifest: ContributionManifest;
  readonly segments: readonly SegmentRecord[];
}

/** What a contribution holds. */
export function HoldingFacts({
  names,
  bundle,
  contribution,
  segments,
}: ContributionFactsProps): VNode {
  const { sentences, tokens, bytes, model, labelScheme, entities, keptTypes, inventory, copies } =
    contribution;
  const treatment = treatmentText(entities, keptTypes);
  return (
    <Facts
      facts={[
        ['Sentences', `${countText(sentences)}, of ${amountText(tokens, 'token')}`],
        ['Segments', `${countText(segments.length)}, ${bytesText(bytes)}`],
        ['Model', <ModelName names={names} digest={model} />],
        ['Digest of the model', <WholeDigest of={model} />],
        ['Label scheme', <WholeDigest of={labelScheme} />],
        ['Labels', labelsText(bundle, segments[0]?.labelCount)],
        ['Entities', copies > 1 ? `${treatment}, in ${copies} copies of each note` : treatment],
        [
          'Inventory',
          inventory === null ? 'none: nothing was replaced' : <WholeDigest of={inventory} />,
        ],
      ]}
    />
  );
}

/** Who signed it, when, and on what terms. */
export function SignatureFacts({ contribution, manifest }: ContributionFactsProps): VNode {
  const { id, institution, keyId, received, withdrawn } = contribution;
  return (
    <Facts
      facts={[
        ['Institution', institution],
        ['Contribution', <WholeDigest of={id} />],
        ['Key that signed', <WholeDigest of={keyId} />],
        ['Signed', <Time iso={manifest.time} />],
        ['Received', <Time iso={received} />],
        ['Withdrawn', withdrawn === null ? 'no' : <Time iso={withdrawn} />],
        ['Terms', <span class="given">{manifest.terms || 'none were stated'}</span>],
      ]}
    />
  );
}

/** The first of the segments, by which the institution knows them. */
export function Segments({ segments }: { readonly segments: readonly SegmentRecord[] }): VNode {
  const shown = segments.slice(0, 20);
  const more = segments.length - shown.length;
  return (
    <details>
      <summary>{amountText(segments.length, 'segment')}</summary>
      <ul>
        {shown.map(({ digest, sentences, bytes }) => (
          <li key={digest}>
            <Digest of={digest} /> {amountText(sentences, 'sentence')}, {bytesText(bytes)}
          </li>
        ))}
      </ul>
      {more > 0 && <p>and {amountText(more, 'other')}</p>}
    </details>
  );
}
