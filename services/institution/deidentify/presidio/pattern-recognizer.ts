import { SHARE } from '../../../../proto/schemas.js';
import { Type } from '../../../../proto/typebox.js';
import { closedObject, nullable, type TypeOf } from '../../../../proto/typed-schema.js';
import { scoreWithContext, supportiveWord } from '../recognisers/context.js';
import type { CodePoints } from './code-points.js';
import { compilePattern, compileWords, DEFAULT_FLAGS } from './python-pattern.js';
import type { RecognizerResult } from './recognizer-result.js';

const WORDS = nullable(
  Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 10_000 }),
);
const PATTERN = closedObject({
  name: Type.String({ maxLength: 200 }),
  regex: Type.String({ minLength: 1, maxLength: 5000 }),
  score: SHARE,
});

export const PATTERN_RECOGNIZER = closedObject(
  {
    name: Type.Optional(Type.String({ maxLength: 200 })),
    supported_entity: Type.String({ minLength: 1, maxLength: 200 }),
    supported_language: Type.Optional(Type.String({ maxLength: 8 })),
    patterns: Type.Optional(nullable(Type.Array(PATTERN, { maxItems: 100 }))),
    deny_list: Type.Optional(WORDS),
    deny_list_score: Type.Optional(SHARE),
    /** Words that make a finding surer where they stand before it. */
    context: Type.Optional(WORDS),
    global_regex_flags: Type.Optional(Type.Integer()),
    version: Type.Optional(Type.String({ maxLength: 200 })),
  },
  { anyOf: [{ required: ['patterns'] }, { required: ['deny_list'] }] },
);

/** Presidio's recognizer that a request brings along: patterns, words, or both. */
export type PatternRecognizer = TypeOf<typeof PATTERN_RECOGNIZER>;

interface Compiled {
  readonly name: string;
  readonly source: string;
  readonly expression: RegExp;
  readonly score: number;
}

/**
 * What a recognizer finds in a text, with `context` as words that stand everywhere. Takes as long as
 * its patterns take: run it where it can be stopped. Throws as `compilePattern` does.
 */
export function findPatterns(
  text: string,
  points: CodePoints,
  recognizer: PatternRecognizer,
  context: readonly string[],
): RecognizerResult[] {
  const results: RecognizerResult[] = [];
  for (const pattern of compileRecognizer(recognizer)) {
    for (const { index, 0: match } of text.matchAll(pattern.expression)) {
      if (match === '') continue;
      const word = supportiveWord(text.slice(0, index), recognizer.context ?? [], context);
      const score = scoreWithContext(pattern.score, word);
      if (pattern.score <= 0) continue;
      results.push({
        analysis_explanation: {
          recognizer: recognizer.name ?? 'PatternRecognizer',
          pattern_name: pattern.name,
          pattern: pattern.source,
          original_score: pattern.score,
          score,
          textual_explanation: `Detected by \`${recognizer.name ?? 'PatternRecognizer'}\` using pattern \`${pattern.name}\``,
          score_context_improvement: score - pattern.score,
          supportive_context_word: word ?? '',
          validation_result: null,
        },
        end: points.pointsBefore(index + match.length),
        entity_type: recognizer.supported_entity,
        score,
        start: points.pointsBefore(index),
      });
    }
  }
  return results;
}

function compileRecognizer(recognizer: PatternRecognizer): Compiled[] {
  const { patterns, deny_list, deny_list_score = 1, supported_entity } = recognizer;
  const flags = recognizer.global_regex_flags ?? DEFAULT_FLAGS;
  const all = (patterns ?? []).map(({ name, regex, score }, at) => {
    const what = `pattern ${at} of the recognizer of ${supported_entity}`;
    return { name, source: regex, expression: compilePattern(regex, flags, what), score };
  });
  if (!deny_list || deny_list.length === 0) return all;
  const what = `the deny list of the recognizer of ${supported_entity}`;
  const expression = compileWords(deny_list, flags, what);
  const words = { name: 'deny_list', source: expression.source, expression };
  return [...all, { ...words, score: deny_list_score }];
}
