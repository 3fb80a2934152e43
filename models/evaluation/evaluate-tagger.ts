import { setImmediate } from 'node:timers/promises';
import type { Progress } from '../../platform/progress.js';
import { type Tagger, tag } from '../networks/tagger.js';
import type { Document } from '../text/document.js';
import { type Evaluation, type EvaluationOptions, evaluate } from './evaluate.js';

export interface TaggerEvaluationOptions extends EvaluationOptions {
  readonly signal?: AbortSignal | undefined;
  readonly progress?: Progress | undefined;
}

/** Scores what a tagger finds in documents against their own spans. */
export async function evaluateTagger(
  tagger: Tagger,
  documents: readonly Document[],
  { signal, progress, ...options }: TaggerEvaluationOptions,
): Promise<Evaluation> {
  const pairs: { gold: Document; system: Document }[] = [];
  for (const gold of documents) {
    signal?.throwIfAborted();
    progress?.({ step: 'scoring', done: pairs.length, total: documents.length, unit: 'documents' });
    const spans = tag(gold.text, tagger, { sentences: gold.sentences });
    const system = { id: gold.id, text: gold.text, spans };
    pairs.push({ gold, system });
    await setImmediate();
  }
  return evaluate(pairs, options);
}
