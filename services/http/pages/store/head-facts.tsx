import type { VNode } from 'preact';
import { countText } from '../../../../platform/amount-text.js';
import { WholeDigest } from '../../../../platform/pages/digest.js';
import { Facts } from '../../../../platform/pages/facts.js';
import { Time } from '../../../../platform/pages/time.js';
import { sha256Hex } from '../../../../proto/digest.js';
import type { SignedHead } from '../../log-routes.js';

/** The newest entry of the log, and by which key the server signs it. */
export function HeadFacts({ head }: { readonly head: SignedHead }): VNode {
  const { sequence, hash, time, publicKey } = head;
  return (
    <Facts
      facts={[
        ['Newest entry', countText(sequence)],
        ['Its hash', <WholeDigest of={hash} />],
        ['Signed', <Time iso={time} />],
        ['Key that signs', <WholeDigest of={sha256Hex(Buffer.from(publicKey, 'base64'))} />],
      ]}
    />
  );
}
