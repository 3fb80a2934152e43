const ENTITIES: Readonly<Record<string, string>> = {
  ...{ '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' },
};

/** What a reader of markup reads, its spaces made one. */
export function textOf(markup: string): string {
  return markup
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(?:amp|lt|gt|quot);/g, (entity) => ENTITIES[entity] as string)
    .replace(/\s+/g, ' ')
    .replace(/ ([,.;:])/g, '$1');
}
