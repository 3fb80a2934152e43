import type { VNode } from 'preact';

/**
 * A style inside its page, where escapes would be read as they stand. This is the one place at which
 * anything gets into a page unescaped: no text but our own stylesheet is ever given to it.
 */
export function InlineStyle({ css }: { readonly css: string }): VNode {
  return <style dangerouslySetInnerHTML={{ __html: css }} />;
}
