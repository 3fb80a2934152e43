import type { VNode } from 'preact';

interface TimeProps {
  /** ISO 8601, UTC. */
  readonly iso: string;
  /** By default the minute is shown too. */
  readonly precision?: 'day' | 'minute';
}

/** `2026-03-05 07:08 UTC` for people, the whole for programs. */
export function Time({ iso, precision = 'minute' }: TimeProps): VNode {
  const day = iso.slice(0, 10);
  return (
    <time dateTime={iso}>{precision === 'day' ? day : `${day} ${iso.slice(11, 16)} UTC`}</time>
  );
}
