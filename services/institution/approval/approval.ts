import type { Trust } from '../../../models/bundle/verify.js';
import type { ApprovalGrounds } from './model-approval.js';
import type { Policy } from './policy.js';

/** Whose signatures count, and what else makes a model acceptable: a policy's word, or a person's. */
export interface Approval extends ApprovalGrounds {
  readonly policy: Policy | undefined;
  readonly trust: Trust;
  readonly audits: readonly unknown[];
}
