import type { VNode } from 'preact';
import { type StatedScore, scoreText } from '../../../models/bundle/stated-scores.js';
import { Interval } from '../../../platform/pages/interval.js';
import { percent } from '../../../platform/percent-text.js';
import type { Share } from './audit-summary.js';

/** `53.7 %`, its interval smaller. */
export function ShareValue({ of: { value, interval } }: { readonly of: Share }): VNode {
  return (
    <>
      {percent(value)}
      <Interval of={interval} />
    </>
  );
}

/** The same of a score as a manifest states it; a number where it is no share. */
export function ScoreValue({ of: score }: { readonly of: StatedScore }): VNode {
  const { value, interval } = score;
  if (![value, ...(interval ?? [])].every((each) => each >= 0 && each <= 1))
    return <>{scoreText(score)}</>;
  return <>{interval ? <ShareValue of={{ value, interval }} /> : percent(value)}</>;
}
