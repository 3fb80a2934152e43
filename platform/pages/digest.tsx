import type { VNode } from 'preact';

interface DigestProps {
  /** In hex. */
  readonly of: string;
  readonly href?: string | undefined;
}

const SHOWN = 12;

/** The beginning of a digest, where its place tells it apart; the whole of it stands on its own page. */
export function Digest({ of, href }: DigestProps): VNode {
  const text = <code title={of}>{of.length > SHOWN ? `${of.slice(0, SHOWN)}…` : of}</code>;
  return href === undefined ? text : <a href={href}>{text}</a>;
}

/** All of a digest, to be compared or copied. */
export function WholeDigest({ of }: Pick<DigestProps, 'of'>): VNode {
  return <code class="digest">{of}</code>;
}
