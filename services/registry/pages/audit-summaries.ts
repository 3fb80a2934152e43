import { readAudit } from '../../../models/attacks/report/audit-file.js';
import type { AuditReport } from '../../../models/attacks/report/audit-report.js';
import type { Catalog } from '../../../pool-store/catalog/catalog.js';
import { envelopeOf, type ListedAudit, listAudits } from '../../../pool-store/models/audit-list.js';
import { type AuditSummary, summariseAudit } from './audit-summary.js';

/** An audit and what can be said of it; undefined where this version of Tacet cannot read it. */
export interface SummarisedAudit extends ListedAudit {
  readonly summary: AuditSummary | undefined;
}

/** Of audits; each is a few hundred bytes. */
const MOST_KEPT = 5000;

/** Of the audits of one model that a list or a page of it goes by, the newest. */
const MOST_OF_A_MODEL = 4;

/** Summaries of audits, which never change: each is made once and kept, as many as there is room for. */
export class AuditSummaries {
  /** In the order of their last use. */
  readonly #kept = new Map<string, AuditSummary>();

  constructor(
    private readonly catalog: Catalog,
    private readonly most = MOST_KEPT,
  ) {}

  async of(audit: ListedAudit): Promise<SummarisedAudit> {
    const summary = this.#kept.get(audit.id) ?? (await this.#made(audit.id));
    if (summary) this.#keep(audit.id, summary);
    return { ...audit, summary };
  }

  /** The newest audits of the model with this digest, and how many there are. */
  async ofModel(digest: string): Promise<{ audits: readonly SummarisedAudit[]; total: number }> {
    const newest = { limit: MOST_OF_A_MODEL, offset: 0 };
    const { rows, total } = await listAudits(this.catalog, newest, digest);
    const audits: SummarisedAudit[] = [];
    for (const audit of rows) audits.push(await this.of(audit));
    return { audits, total };
  }

  async #made(id: string): Promise<AuditSummary | undefined> {
    const report = await readableReport(this.catalog, id);
    return report && summariseAudit(report);
  }

  #keep(id: string, summary: AuditSummary): void {
    this.#kept.delete(id);
    this.#kept.set(id, summary);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.most) return;
      this.#kept.delete(oldest);
    }
  }
}

/** The report of an audit; undefined where this version of Tacet cannot read it. */
export async function readableReport(
  catalog: Catalog,
  id: string,
): Promise<AuditReport | undefined> {
  try {
    const { payload } = await envelopeOf(catalog, id);
    return readAudit(Buffer.from(payload, 'base64'));
  } catch {
    return undefined;
  }
}
