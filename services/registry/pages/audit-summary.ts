import type { AttackReport, AttackTask } from '../../../models/attacks/attack.js';
import { statementOf } from '../../../models/attacks/attack-statement.js';
import { type AuditReport, comparisonsOf } from '../../../models/attacks/report/audit-report.js';
import { beatsChance, strongestFirst } from '../../../models/attacks/report/guessing.js';
import type { Statement } from '../../../models/attacks/statement.js';
import { cut } from './cut.js';

/** A share, 0 to 1, with its 95 % interval. */
export interface Share {
  readonly value: number;
  readonly interval: readonly [number, number];
}

/** The strongest attack that was after something. */
export interface AttackSummary {
  readonly task: AttackTask;
  readonly success: Share;
  /** How often guessing is right, 0 to 1. */
  readonly chance: number;
  readonly beatsChance: boolean;
}

/** What lists and a model's page say of an audit; of bounded size, whatever its auditor wrote. */
export interface AuditSummary {
  /** Of the auditor's notes; audits of old formats do not say. */
  readonly corpus?: string | undefined;
  /** N, the number of candidates that a moved word is drawn from. */
  readonly candidates: number;
  readonly limit: Share;
  readonly percentile95: number;
  readonly percentile99: number;
  readonly maximum: number;
  /** The limit where the word stands in free text, and where it stands in a header or a signature. */
  readonly narrative?: Share | undefined;
  readonly form?: Share | undefined;
  /** The limit for an entity that is another wherever it stands in its note. */
  readonly entity: Share;
  /** The strongest of each task, strongest first. */
  readonly attacks: readonly AttackSummary[];
  /** An attack did better than any can: the audit is not valid. */
  readonly isContradictory: boolean;
}

const LONGEST_CORPUS = 120;

export function summariseAudit(report: AuditReport): AuditSummary {
  const { heading, candidates, certified, entities, contradictions } = report;
  const { bound, percentile95, percentile99, maximum, slices } = certified;
  const on = (line: string) => {
    const slice = slices.find(({ by, value }) => by === 'line' && value === line);
    return slice && shareOf(slice.success);
  };
  return {
    corpus: heading && cut(heading.corpus, LONGEST_CORPUS),
    ...{ candidates, limit: shareOf(bound), percentile95, percentile99, maximum },
    ...{ narrative: on('narrative'), form: on('form'), entity: shareOf(entities.bound) },
    attacks: strongestOfEachTask(report),
    isContradictory: contradictions.length > 0,
  };
}

/**
 * What an attack of a published bundle speaks of where labelled PHI is replaced before encoding: what it
 * learns of a name is then what a name risks that nobody labelled.
 */
export function speaksOf({ task }: Pick<AttackReport, 'task'>): Statement | undefined {
  return statementOf(task, true);
}

/** The strongest of the attacks that speak of a name that nobody labelled. */
export function strongestOnNames(attacks: readonly AttackSummary[]): AttackSummary | undefined {
  return attacks.find((attack) => speaksOf(attack) === 'a name that nobody labelled');
}

function strongestOfEachTask(report: AuditReport): AttackSummary[] {
  const context = comparisonsOf(report);
  const ordered = strongestFirst(report.attacks, context);
  return ordered
    .filter(({ task }, at) => ordered.findIndex((other) => other.task === task) === at)
    .map((attack) => ({
      task: attack.task,
      success: shareOf(attack.success),
      chance: attack.chance,
      beatsChance: beatsChance(attack, context),
    }));
}

function shareOf({ value, interval }: Share): Share {
  return { value, interval };
}
