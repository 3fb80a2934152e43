import type { ComponentChildren, VNode } from 'preact';

interface NoticeProps {
  readonly kind?: 'danger' | 'good' | undefined;
  readonly children: ComponentChildren;
}

/** What a reader should know before going on. */
export function Notice({ kind, children }: NoticeProps): VNode {
  return <div class={kind ? `notice ${kind}` : 'notice'}>{children}</div>;
}
