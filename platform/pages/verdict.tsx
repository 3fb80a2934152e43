import type { ComponentChildren, VNode } from 'preact';

interface VerdictProps {
  /** Nothing was found that alarms. */
  readonly quiet?: boolean;
  readonly children: ComponentChildren;
}

/** What a reader who reads one thing of the page should read. */
export function Verdict({ quiet = false, children }: VerdictProps): VNode {
  return <div class={quiet ? 'verdict quiet' : 'verdict'}>{children}</div>;
}
