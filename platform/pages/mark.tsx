import type { ComponentChildren, VNode } from 'preact';

interface MarkProps {
  /** PHI, or what a system made of it. */
  readonly kind: 'phi' | 'missed' | 'spurious' | 'confused' | 'right';
  /** Of what type it is, where that is said. */
  readonly type?: string | undefined;
  readonly children: ComponentChildren;
}

/** A span of a text with its type. */
export function Mark({ kind, type, children }: MarkProps): VNode {
  return (
    <mark class={kind}>
      {children}
      {type !== undefined && <span class="type">{type}</span>}
    </mark>
  );
}
