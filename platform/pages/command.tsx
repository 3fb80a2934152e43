import type { ComponentChildren, VNode } from 'preact';

/** A command ready to be copied: it breaks where the page is narrow, but not in what is copied. */
export function Command({ children }: { readonly children: ComponentChildren }): VNode {
  return (
    <pre class="command">
      <code>{children}</code>
    </pre>
  );
}
