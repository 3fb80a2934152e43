import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';

/** Controls that neither HTML nor XML allows, halves of surrogate pairs, and what XML refuses besides. */
const REFUSED = /[^\P{Cc}\t\n\r]|\p{Surrogate}|[\ufffe\uffff]/gu;

/**
 * Elements as HTML or SVG. Text of a document becomes neither an element nor an attribute, and characters
 * that markup does not allow become U+FFFD. An attribute that is empty stands without a value, so that what is
 * to be read as XML may have none.
 */
export function markupOf(element: VNode): string {
  // In XML, `]]>` may not stand in a text.
  return renderToString(element).replace(REFUSED, '\ufffd').replaceAll(']]>', ']]&gt;');
}
