import type { PatternFinding } from '../recognisers/recognisers.js';
import type { Explanation } from './recognizer-result.js';
import { RECOGNIZER } from './supported-recognizers.js';

/** Why the model takes something for PHI. */
export function explainTagger(score: number): Explanation {
  return {
    recognizer: RECOGNIZER,
    pattern_name: null,
    pattern: null,
    original_score: score,
    score,
    textual_explanation: 'the least posterior of the type over the tokens',
    score_context_improvement: 0,
    supportive_context_word: '',
    validation_result: null,
  };
}

/** Why a recogniser does. */
export function explainPattern(finding: PatternFinding): Explanation {
  const { recogniser, pattern, score, originalScore, supportiveWord } = finding;
  return {
    recognizer: recogniser,
    pattern_name: pattern,
    pattern: null,
    original_score: originalScore,
    score,
    textual_explanation: null,
    score_context_improvement: score - originalScore,
    supportive_context_word: supportiveWord ?? '',
    validation_result: null,
  };
}
