import { TacetError } from '../../../proto/errors.js';
import type { ModelIdentity } from '../bundles/encoding-model.js';
import { type ApprovalGrounds, approveModel } from './model-approval.js';

const RECHECK_MS = 60_000;
const ASK_MS = 30_000;
/** Answers that hold however long the registry is silent after them. */
const LASTING: ReadonlySet<string> = new Set(['model-revoked', 'bundle-digest']);

/**
 * Whether a pipeline may still be used, asked of the registry again and again beside the requests.
 * A registry that does not answer leaves things as they were, unless the policy demands its word.
 */
export class StandingApproval {
  #refusal: TacetError | undefined;
  #answered: Date | undefined;
  #timer: NodeJS.Timeout | undefined;
  readonly #closing = new AbortController();

  constructor(
    private readonly pipeline: ModelIdentity,
    private readonly grounds: ApprovalGrounds,
    private readonly recheckMs: number = RECHECK_MS,
  ) {
    if (grounds.registry) this.#askLater();
  }

  /** Throws what the last answer refused the pipeline with, e.g. `model-revoked`. */
  require(): void {
    if (this.#refusal) throw this.#refusal;
  }

  /** When the registry last answered, since this was made; undefined where it has not. */
  get answered(): Date | undefined {
    return this.#answered;
  }

  close(): void {
    this.#closing.abort(new TacetError('interrupted', 'the encoder stops'));
    clearTimeout(this.#timer);
  }

  #askLater(): void {
    if (this.#closing.signal.aborted) return;
    this.#timer = setTimeout(
      () => void this.#ask().finally(() => this.#askLater()),
      this.recheckMs,
    );
    this.#timer.unref();
  }

  async #ask(): Promise<void> {
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(ASK_MS)]);
    try {
      await approveModel(this.pipeline, pipelineGrounds(this.grounds), signal);
      this.#refusal = undefined;
      this.#answered = new Date();
    } catch (error) {
      if (this.#closing.signal.aborted) return;
      const { policy } = this.grounds;
      if (error instanceof TacetError && LASTING.has(error.code)) {
        this.#refusal = error;
        this.#answered = new Date();
      } else if (policy?.requireRevocationCheck)
        this.#refusal ??= noAnswerError(this.pipeline, error);
    }
  }
}

/** What decides about a pipeline: an audit speaks of representations alone. */
export function pipelineGrounds({ policy, ...grounds }: ApprovalGrounds): ApprovalGrounds {
  const requireRevocationCheck = policy?.requireRevocationCheck ?? false;
  return { ...grounds, policy: { requireRevocationCheck } };
}

function noAnswerError({ name, version }: ModelIdentity, cause: unknown): TacetError {
  if (cause instanceof TacetError && cause.code === 'revocation-unknown') return cause;
  return new TacetError(
    'revocation-unknown',
    `${name} ${version}: the policy demands to know whether it was revoked, and the registry gave no answer`,
    { cause },
  );
}
