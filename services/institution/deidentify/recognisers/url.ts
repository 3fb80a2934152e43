import { matchesOf, type Recogniser, type Shape } from './recogniser.js';

const LABEL = String.raw`[\p{L}\p{N}](?:[\p{L}\p{N}\-]*)`;
/** A path ends before a mark that ends a sentence or closes a bracket. */
const PATH = String.raw`(?:[/?#](?:[^\s<>"']*[^\s<>"'.,;:!?)\]}])?)?`;
const NOT_WITHIN = String.raw`(?<![\p{L}\p{N}@._\-])`;
/** Of domains without `www`: those that are no words of a language, since full stops lack their spaces. */
const SUFFIXES =
  '(?:com|org|net|edu|gov|info|int|mil|biz|eu|io)(?:\\.[a-z]{2})?|(?:co|ac|nhs|gob)\\.[a-z]{2}';

/** RFC 3986, section 3: what has a scheme, and what people write without one. */
const SHAPES: readonly Shape[] = [
  {
    pattern: 'address with a scheme',
    expression: /(?<![\p{L}\p{N}])(?:https?|s?ftp):\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]}]/giu,
    score: 0.95,
  },
  {
    pattern: 'name of a web server',
    expression: new RegExp(
      `${NOT_WITHIN}www\\d?\\.${LABEL}(?:\\.${LABEL})+(?::\\d+)?${PATH}`,
      'giu',
    ),
    score: 0.9,
  },
  {
    pattern: 'domain name',
    expression: new RegExp(
      `${NOT_WITHIN}(?:${LABEL}\\.)+(?:${SUFFIXES})(?![\\p{L}\\p{N}@]|[.\\-][\\p{L}\\p{N}])(?::\\d+)?${PATH}`,
      'gu',
    ),
    score: 0.6,
  },
];

export const URL_ADDRESS: Recogniser = {
  name: 'UrlRecognizer',
  type: 'URL',
  context: ['url', 'website', 'web', 'link', 'enlace', 'página'],
  find: (text) => matchesOf(text, SHAPES),
};
