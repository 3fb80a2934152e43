/**
 * The whole loop on one machine: a provider trains and publishes a private representation,
 * institutions encode and contribute over HTTP, the pool's vectors train a de-identifier, unseen
 * notes are de-identified with it, and an auditor attacks the representation.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { AuditReport } from '../../../models/attacks/report/audit-report.js';
import { createKeyFiles, readPublicKey } from '../../../models/bundle/key-files.js';
import type { Role } from '../../../pool-store/members/tokens.js';
import { auditSummary } from '../audit/audit-summary.js';
import type { Context } from '../context.js';
import { attackRepresentation } from './auditor.js';
import { compareTrainings } from './comparison.js';
import { freshDirectory } from './demo-directory.js';
import { encodeAndContribute, holderOf, type Shared } from './institution.js';
import { readerOf } from './member.js';
import { Narrator } from './narrator.js';
import type { Parts } from './parts.js';
import { provideRepresentation } from './provider.js';
import { deidentifyUnseen } from './reader.js';
import { requireSurrogates } from './required-surrogates.js';
import { DemoServers } from './servers.js';
import type { DemoObjective, DemoOptions, DemoSetting } from './setting.js';
import { comparisonTable, type Row } from './table.js';
import { freezeSnapshot, trainOnPool } from './trainer.js';

export interface DemoResult {
  readonly rows: readonly Row[];
  readonly shared: readonly Shared[];
  readonly audit: AuditReport;
  readonly seconds: number;
  readonly directory: string;
}

const STEPS = 7;

const DEMAND: Readonly<Record<DemoObjective, string>> = {
  adversarial:
    'an adversary must not be able to tell a sentence from one in which a name was swapped',
  certified:
    'the bound on every adversary that tells a sentence from one with a name swapped must fall',
};

const TREATED: Readonly<Record<DemoOptions['entities'], string>> = {
  replace:
    'puts public entities, drawn by chance, in the place of all that are labelled, so that what leaves does ' +
    'not depend on them, ',
  keep: '',
};

const RESULT = 'demo.json';

/** `afterwards` is called while the servers still run. */
export async function runDemo(
  options: DemoOptions,
  context: Context,
  afterwards?: (result: DemoResult, setting: DemoSetting) => Promise<void>,
): Promise<DemoResult> {
  const startedMs = performance.now();
  const { directory, parts, entities } = options;
  if (entities === 'replace') await requireSurrogates(options);
  await freshDirectory(directory);
  const narrator = new Narrator(context, STEPS);
  narrator.step(
    'The problem',
    'Hospitals cannot pool notes to train a model that finds PHI, because the notes hold PHI. Here ' +
      'they pool noisy vectors instead. A registry and a pool now start on loopback ports.',
  );
  const publisher = await createKeyFiles(path.join(directory, 'provider', 'keys'));
  const servers = await DemoServers.start(path.join(directory, 'servers'), holders(parts));
  const trust = { trustedKeys: [await readPublicKey(publisher.publicKeyFile)] };
  const setting: DemoSetting = { ...options, servers, publisher, trust, context, narrator };
  try {
    await servers.enrol('provider', publisher.publicKeyFile);
    narrator.tell(`registry ${servers.addresses.registry}, pool ${servers.addresses.pool}`);
    const loop = await theLoop(setting);
    const result = { ...loop, seconds: (performance.now() - startedMs) / 1000, directory };
    await writeFile(path.join(directory, RESULT), `${JSON.stringify(result, null, 2)}\n`);
    await afterwards?.(result, setting);
    return result;
  } finally {
    await servers.stop();
  }
}

async function theLoop(setting: DemoSetting): Promise<Omit<DemoResult, 'seconds' | 'directory'>> {
  const { narrator, parts } = setting;
  const count = parts.institutions.length;
  narrator.step(
    'The model provider trains a representation',
    `on ${parts.provider.length} public notes with PHI labels: noise, BiLSTM, noise. A de-identifier ` +
      `must be able to read its vectors, and ${DEMAND[setting.objective]}. Then it is frozen, signed ` +
      'and published.',
  );
  const representation = await provideRepresentation(setting);

  narrator.step(
    `${count} institutions encode and contribute`,
    `Each fetches the bundle, checks its signature, ${TREATED[setting.entities]}turns its own notes into ` +
      'noisy vectors on its own machine, and uploads vectors and labels, shuffled. Text never leaves.',
  );
  const shared: Shared[] = [];
  for (const institution of parts.institutions) {
    shared.push(await encodeAndContribute(institution, representation, setting));
  }

  narrator.step(
    'The pool trains a de-identifier',
    'on a snapshot of all vectors, streamed over HTTP; it has never seen a word.',
  );
  const snapshot = await freezeSnapshot(representation, setting);
  const pipeline = await trainOnPool(snapshot, representation, setting);

  narrator.step(
    'An institution de-identifies unseen notes',
    `It fetches the pipeline and runs it on ${parts.unseen.length} notes that nothing was trained on.`,
  );
  const pooled = await deidentifyUnseen(pipeline, setting);

  narrator.step(
    'An auditor attacks the representation',
    'With the model in hand, from likelihoods to the paper’s adversary, which goes on learning to ' +
      'tell real pairs from fake ones. Beside them stands a limit on every attack on pairs.' +
      (setting.entities === 'replace'
        ? ' It attacks names that are there: what one risks that nobody labelled.'
        : ''),
  );
  const { report, files } = await attackRepresentation(representation, setting);
  narrator.tell(report.verdict);
  narrator.tell(`report: ${files.at(-1)}`);

  narrator.step(
    'The baselines',
    'The same de-identifier without privacy, by each institution alone, on the public notes alone, and ' +
      'on pseudonymised notes. And what an institution has of the pool that learns from its own notes, ' +
      'too, and keeps what comes of it.',
  );
  const rows = await compareTrainings(setting, { pooled, snapshot, shared });
  return { rows, shared, audit: report };
}

/** The demo's last words, for people. */
export function demoTable({ rows, audit, seconds, directory }: DemoResult): string[] {
  return [
    '',
    'Unseen notes: token-level scores, PHI or not, with 95 % intervals over documents',
    '',
    ...comparisonTable(rows),
    '',
    ...auditSummary(audit),
    '',
    `took ${Math.round(seconds)} s; models, servers’ data, the audit, and the unseen notes in clear are in ${directory}`,
    `to look at: ${path.join(directory, 'audit', 'audit.html')}, and with --serve the pages of registry, pool and encoder`,
  ];
}

function holders({ institutions }: Parts): Record<string, Role> {
  return {
    provider: 'provider',
    trainer: 'consumer',
    auditor: 'auditor',
    ...Object.fromEntries(institutions.map((each) => [holderOf(each), 'institution' as const])),
    [readerOf(institutions[0])]: 'consumer',
  };
}
