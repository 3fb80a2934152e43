import type { Contribution } from '../../pool-store/contributions/contribution-records.js';
import type { Token } from '../../pool-store/members/tokens.js';
import type { Store } from '../../pool-store/store.js';
import type { Uses } from '../../pool-store/training/training-runs.js';
import { TacetError } from '../../proto/errors.js';
import type { ReplayCheck } from './replay-check.js';

const MOST_USES = 100;

/** What the holder of a token sees of contributions, and takes back; all that is not theirs is not there. */
export class ContributionAccess {
  constructor(
    private readonly store: Store,
    private readonly replays: ReplayCheck,
  ) {}

  /** Throws `not-found`. */
  async get(id: string, token: Token): Promise<Contribution> {
    const contribution = await this.store.contributions.get(id);
    const scope = scopeOf(token);
    if (scope === undefined || scope === contribution.institution) return contribution;
    throw new TacetError('not-found', `there is no contribution ${id}`);
  }

  /**
   * The snapshots that hold a contribution, and who trained on them, as `TrainingRuns` lists a hundred: whoever gave
   * it may know. Throws `not-found`.
   */
  async usesOf(id: string, token: Token): Promise<Uses> {
    const contribution = await this.get(id, token);
    return this.store.trainingRuns.usesOf(contribution.id, MOST_USES);
  }

  /** Its bytes are erased when it returns. Throws `not-found`. */
  async withdraw(id: string, token: Token): Promise<Contribution> {
    const { contributions } = this.store;
    const { id: known } = await this.get(id, token);
    const withdrawn = await contributions.withdraw(known);
    const segments = await contributions.segmentsOf(withdrawn.id);
    await this.replays.forget(segments.map(({ digest }) => digest));
    return withdrawn;
  }
}

/** The institution whose contributions alone a token sees; undefined where it sees all. */
export function scopeOf({ role, name }: Token): string | undefined {
  return role === 'institution' ? name : undefined;
}
