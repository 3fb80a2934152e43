import type { VNode } from 'preact';
import { Facts } from '../../../platform/pages/facts.js';
import { percent } from '../../../platform/percent-text.js';
import type { Contribution } from '../../../pool-store/contributions/contribution-records.js';
import type { ContributionManifest } from '../../../proto/contribution.js';
import { limitText } from '../../http/pages/limit-text.js';

interface PrivacyFactsProps {
  readonly contribution: Contribution;
  readonly manifest: ContributionManifest;
}

/** What is told of whom, in three statements that are never mixed. */
export function PrivacyFacts({ contribution, manifest }: PrivacyFactsProps): VNode {
  const { entities, keptTypes, copies, casingInClear } = contribution;
  const { limit } = manifest;
  return (
    <Facts
      facts={[
        [
          keptTypes.length > 0 ? 'Labelled entities of the other types' : 'Labelled entities',
          entities === 'replaced' ? replaced(copies, keptTypes.length > 0) : kept(limit),
        ],
        ...(keptTypes.length > 0
          ? [[`Labelled entities of ${keptTypes.join(', ')}`, kept(limit)] as const]
          : []),
        [
          'Names that nobody labelled',
          entities === 'replaced'
            ? `Encoded as they are. How much is told of one is what the model's certified limit allows: a mean, beside which single names can be wide open${
                copies > 1 ? `; and it is for one release, these notes left in ${copies}` : ''
              }.${limit === null || keptTypes.length > 0 ? '' : ` The institution states ${percent(limit)}.`}`
            : "Encoded as they are. The model's certified limit, a mean, speaks of them; the institution's does not.",
        ],
        [
          'The rest of the text',
          `Not hidden, only noisy: what can be read of it is measured by audits of the model, not promised. Labels and lengths of sentences are in clear${
            casingInClear
              ? ', and so is the casing of every token'
              : '; the casing of tokens is not'
          }.`,
        ],
      ]}
    />
  );
}

function replaced(copies: number, besideKept: boolean): string {
  const times =
    copies > 1 ? ` ${copies} times, each time by other ones, which tells no more of them` : '';
  return `As the institution signs: replaced before anything was encoded by public ones of the same type that chance chose${times}. What is here does not depend on what they were: by it, whoever must tell one from another is right by chance, exactly, by construction. The words around them, which are the rest of the text, may tell what they were${besideKept ? ', and so may a kept entity that holds one, as a firm does its owner' : ''}.`;
}

function kept(limit: number | null): string {
  return limit === null
    ? 'Encoded as they are, and nothing was certified: no limit stands for what their vectors tell.'
    : `Encoded as they are. The institution certified a limit of ${limitText(limit)}`;
}
