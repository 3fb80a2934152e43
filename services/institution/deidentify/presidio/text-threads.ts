import { WorkerPool } from '../../../../platform/threads/worker-pool.js';
import { TacetError } from '../../../../proto/errors.js';
import { type AnonymizeRequest, anonymize } from './anonymize.js';
import { type DeanonymizeRequest, deanonymize } from './deanonymize.js';
import type { RecognizerResult } from './recognizer-result.js';
import type { Refinement } from './refine.js';
import type { Rewritten } from './rewrite.js';

const TASKS = new URL('./text-tasks.js', import.meta.url);
/** Done before a thread would have been told of it. */
const SMALL = { characters: 50_000, findings: 500 } as const;
/** A regular expression of a few characters can take years. */
const MATCHING_MS = 5_000;

/** Work on texts that must not keep an event loop waiting, on a thread for each of its two kinds. */
export class TextThreads {
  readonly #anonymizing = new WorkerPool(TASKS);
  readonly #matching = new WorkerPool(TASKS);
  #lastMatching: Promise<unknown> = Promise.resolve();

  constructor(private readonly matchingMs: number = MATCHING_MS) {}

  /** As `anonymize`. */
  async anonymize(request: AnonymizeRequest, signal: AbortSignal): Promise<Rewritten> {
    const { text, analyzer_results } = request;
    if (text.length <= SMALL.characters && analyzer_results.length <= SMALL.findings)
      return anonymize(request);
    return this.#anonymizing.run('anonymize', request, { signal }) as Promise<Rewritten>;
  }

  /** As `deanonymize`. */
  async deanonymize(request: DeanonymizeRequest, signal: AbortSignal): Promise<Rewritten> {
    const { text, anonymizer_results } = request;
    if (text.length <= SMALL.characters && anonymizer_results.length <= SMALL.findings)
      return deanonymize(request);
    return this.#anonymizing.run('deanonymize', request, { signal }) as Promise<Rewritten>;
  }

  /** As `refine`, one after another. Throws `request-invalid` where the patterns take too long. */
  refine(refinement: Refinement, signal: AbortSignal): Promise<RecognizerResult[][]> {
    const result = this.#lastMatching.then(() => this.#refine(refinement, signal));
    this.#lastMatching = result.catch(() => {});
    return result;
  }

  async close(): Promise<void> {
    await Promise.all([this.#anonymizing.close(), this.#matching.close()]);
  }

  async #refine(refinement: Refinement, signal: AbortSignal): Promise<RecognizerResult[][]> {
    // A thread that has yet to start takes nothing of the time.
    await this.#matching.run('ready', undefined, { signal });
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(tooLong(this.matchingMs)), this.matchingMs);
    try {
      return (await this.#matching.run('refine', refinement, {
        signal: AbortSignal.any([signal, limit.signal]),
      })) as RecognizerResult[][];
    } finally {
      clearTimeout(timer);
    }
  }
}

function tooLong(ms: number): TacetError {
  return new TacetError(
    'request-invalid',
    `the request's patterns took more than ${ms / 1000} s on its texts and were stopped; send ` +
      'simpler patterns or shorter texts',
  );
}
