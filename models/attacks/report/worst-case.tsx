import type { VNode } from 'preact';
import type { AuditReport } from './audit-report.js';

/** What holds for all texts whatever; null where nothing does. */
export function WorstCase({ worstCase }: Pick<AuditReport, 'worstCase'>): VNode {
  if (!worstCase)
    return (
      <p>None holds: word vectors have no common length, so any two may lie any distance apart.</p>
    );
  const { token, sentence, delta } = worstCase;
  return (
    <p>
      Vectors have length one before noise is added, so any two tokens lie at most{' '}
      {token.distance.toFixed(1)} noise deviations apart: the Gaussian mechanism is (ε ={' '}
      {epsilonText(token.epsilon)}, δ = {delta}) differentially private for one token’s vector, and
      (ε = {epsilonText(sentence.epsilon)}, δ = {delta}) for a sentence of {sentence.tokens} tokens,
      all of whose vectors one word can move. This holds for all texts whatever, unlike the limits
      above, which average over the words of these notes. It promises no more than it says: an ε
      over about 10 is no protection by itself, and then what protects, if anything, is that real
      changes move the vectors much less than the worst ones, which only the limits above measure.
      The attacks prove the ε of the table for specialists from below.
    </p>
  );
}

function epsilonText(value: number): string {
  return value < 10 ? value.toFixed(2) : value.toFixed(0);
}
