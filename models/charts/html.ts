/** Markup that is safe to stand in a page. */
export class Html {
  constructor(readonly markup: string) {}

  toString(): string {
    return this.markup;
  }
}

type Part = string | number | Html | readonly Html[];

/**
 * A template whose values are escaped unless they are `Html` themselves, so that text of a document
 * can become neither an element nor an attribute.
 */
export function html(literals: TemplateStringsArray, ...values: readonly Part[]): Html {
  const parts = literals.map((literal, at) => literal + markupOf(values[at] ?? ''));
  return new Html(parts.join(''));
}

function markupOf(value: Part): string {
  if (value instanceof Html) return value.markup;
  if (Array.isArray(value)) return value.join('');
  return escapeHtml(String(value));
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Controls that HTML does not allow, and lone surrogates, become the replacement character. */
function escapeHtml(text: string): string {
  return text
    .replace(/[^\P{Cc}\t\n\r]|\p{Surrogate}/gu, '\ufffd')
    .replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
}
