import type { ComponentChildren, VNode } from 'preact';

interface BadgeProps {
  readonly kind?: 'danger' | 'good' | 'warn' | undefined;
  readonly children: ComponentChildren;
}

/** A state in a word or two; the word says it, not the colour alone. */
export function Badge({ kind, children }: BadgeProps): VNode {
  return <span class={kind ? `badge ${kind}` : 'badge'}>{children}</span>;
}
