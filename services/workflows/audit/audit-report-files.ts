import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { AuditStanding } from '../../../models/attacks/report/audit-facts.js';
import { readAudit, writeAudit } from '../../../models/attacks/report/audit-file.js';
import { auditPage } from '../../../models/attacks/report/audit-page.js';
import type { AuditReport } from '../../../models/attacks/report/audit-report.js';
import { writeAtomically } from '../../../platform/files/draft-file.js';
import { TacetError } from '../../../proto/errors.js';

const JSON_FILE = 'audit.json';
const PAGE_FILE = 'audit.html';

/** Writes an audit for programs and for people; returns both paths. Throws as `writeAtomically` does. */
export async function writeAuditFiles(
  directory: string,
  report: AuditReport,
  standing: AuditStanding = {},
): Promise<string[]> {
  const [json, page] = [path.join(directory, JSON_FILE), path.join(directory, PAGE_FILE)];
  await writeAtomically(json, writeAudit(report));
  await writeAtomically(page, auditPage(report, standing));
  return [json, page];
}

/** The bytes of a finished audit. Throws `file-not-found` or `audit-invalid`. */
export async function readAuditFile(directory: string): Promise<Uint8Array> {
  const file = path.join(directory, JSON_FILE);
  const bytes = await readFile(file).catch(() => {
    throw new TacetError('file-not-found', `${file}: no audit; run \`tacet audit run\` first`);
  });
  readAudit(bytes);
  return bytes;
}
