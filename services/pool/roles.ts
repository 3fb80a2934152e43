import type { Role } from '../../pool-store/members/tokens.js';

/** Who sees contributions; an institution its own. */
export const CONTRIBUTION_READERS: readonly Role[] = [
  'institution',
  'auditor',
  'consumer',
  'admin',
];

/** Who withdraws; an institution what it gave. */
export const WITHDRAWERS: readonly Role[] = ['institution', 'admin'];

/** Who sees what snapshots hold, how they differ, and who trained on them. */
export const SNAPSHOT_READERS: readonly Role[] = ['auditor', 'consumer', 'admin'];

/** Who freezes what the pool holds. */
export const SNAPSHOT_MAKERS: readonly Role[] = ['consumer', 'admin'];

/** Who asks for trainings, and who trains. */
export const JOB_HANDLERS: readonly Role[] = ['consumer', 'admin'];
