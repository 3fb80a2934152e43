import type { VNode } from 'preact';
import type { Manifest } from '../../../models/bundle/manifest.js';
import { firstScore, statedLimits } from '../../../models/bundle/stated-scores.js';
import { trainedOn } from '../../../models/bundle/trained-on.js';
import { USES } from '../../../models/bundle/uses.js';
import { Facts } from '../../../platform/pages/facts.js';
import { Time } from '../../../platform/pages/time.js';
import type { Model } from '../../../pool-store/models/models.js';
import type { SummarisedAudit } from './audit-summaries.js';
import { StatusBadge } from './model-status.js';
import { ScoreValue } from './share-value.js';
import { StrongestAttack } from './strongest-attack.js';

interface ModelInShortProps {
  readonly model: Model;
  /** Undefined where this version of Tacet cannot read it. */
  readonly manifest: Manifest | undefined;
  readonly aliases: readonly string[];
  readonly audits: readonly SummarisedAudit[];
}

const NOT_STATED = 'not stated by its publisher';

/** What who decides asks first; the same of every model, said to be missing where it is. */
export function ModelInShort({ model, manifest, aliases, audits }: ModelInShortProps): VNode {
  return (
    <Facts
      facts={[
        ['Status', <StatusBadge {...model} />],
        [
          'Published',
          <>
            by {model.publisher}, <Time iso={model.published} />
          </>,
        ],
        ['Aliases', aliases.join(', ') || 'none'],
        ...(manifest
          ? ([
              ['Does', USES[manifest.kind].does],
              ['Language', `${manifest.training.language ?? NOT_STATED}`],
              ['Trained on', trainedOn(manifest.training) ?? NOT_STATED],
              ['F1', <Score of={manifest} kind="F1" />],
              ['Recall', <Score of={manifest} kind="recall" />],
              ['Limit of every attack', <Limit of={manifest} />],
            ] as const)
          : []),
        ['Strongest attack on names', <StrongestAttack audits={audits} />],
        ['SHA-256', <code>{model.digest}</code>],
      ]}
    />
  );
}

function Score({ of: { scores }, kind }: { readonly of: Manifest; readonly kind: string }): VNode {
  const score = firstScore(scores, kind);
  if (!score) return <>{NOT_STATED}</>;
  return (
    <>
      <ScoreValue of={score} /> <span class="interval">{score.name}</span>
    </>
  );
}

function Limit({ of: { kind, scores } }: { readonly of: Manifest }): VNode {
  const [limit] = statedLimits(scores);
  if (limit)
    return (
      <>
        <ScoreValue of={limit} /> <span class="interval">{limit.name}</span>
      </>
    );
  return <>{kind === 'pipeline' ? 'none: nothing is encoded with it for others' : NOT_STATED}</>;
}
