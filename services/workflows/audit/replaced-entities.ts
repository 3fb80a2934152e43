import type { ReplacedEntity } from '../../../models/attacks/replaced-entity.js';
import type { Vocabulary } from '../../../models/embeddings/vocabulary.js';
import type { Span } from '../../../models/text/document.js';
import { type LabelScheme, mapType } from '../../../models/text/label-scheme.js';
import { sentencesOf } from '../../../models/text/labelled-sentence.js';
import { tokenise } from '../../../models/text/tokeniser.js';
import type { EncodedCopy } from './encoded-notes.js';

/**
 * By sentence of a document whose entities were replaced, the surrogates that stand in it whole and what
 * each stands for. The words are added to the vocabulary.
 */
export function replacedEntitiesIn(
  { document, stoodFor }: EncodedCopy,
  scheme: LabelScheme,
  vocabulary: Vocabulary,
): ReplacedEntity[][] {
  const isPhi = ({ type }: Span) => mapType(type, scheme) !== null;
  const entities = document.spans.filter(isPhi).map(({ start, end, type }, i) => {
    const ids = tokenise(stoodFor[i] ?? '').map((token) =>
      vocabulary.uncased(vocabulary.idOf(token.text)),
    );
    return { start, end, ids, type: mapType(type, scheme) ?? type };
  });
  return sentencesOf(document, scheme, 0).map(({ tokens }) => {
    const [from, to] = [tokens[0]?.start ?? 0, tokens.at(-1)?.end ?? 0];
    return entities.flatMap(({ start, end, type, ids }) => {
      if (start < from || end > to || ids.length === 0) return [];
      const first = tokens.findIndex((token) => token.start >= start);
      const count = tokens.filter((token) => token.start >= start && token.end <= end).length;
      return count === 0 ? [] : [{ start: first, end: first + count, type, ids }];
    });
  });
}
