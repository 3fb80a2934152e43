/**
 * The whole loop on one machine: a provider trains and publishes a private representation,
 * institutions encode and contribute over HTTP, the pool's vectors train a de-identifier, unseen
 * notes are de-identified with it, and an auditor attacks the representation.
 */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { AuditReport } from '../../../models/attacks/audit.js';
import { createKeyFiles } from '../../../models/bundle/key-files.js';
import type { Evaluation } from '../../../models/evaluation/evaluate.js';
import { trainPseudonymised, trainRaw } from '../../../models/training/recipes.js';
import type { Role } from '../../../pool-store/tokens.js';
import { TacetError } from '../../../proto/errors.js';
import { auditSummary } from '../audit-summary.js';
import type { Context } from '../context.js';
import { attack } from './auditor.js';
import { meanScore, type Scores, scoreBaseline, scoresOf } from './baselines.js';
import { holderOf, type Shared, share } from './institution.js';
import { Narrator } from './narrator.js';
import type { Parts } from './parts.js';
import { provide } from './provider.js';
import { deidentifyUnseen } from './reader.js';
import { DemoServers } from './servers.js';
import type { DemoObjective, DemoOptions, DemoSetting } from './setting.js';
import { bytesText, comparisonTable, type Row } from './table.js';
import { trainOnPool } from './trainer.js';

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

const RESULT = 'demo.json';
/** Marks a directory as a demo's own, which a later demo may replace. */
const MARKER = '.tacet-demo';
const MARK = 'This directory was made by tacet demo; the next demo replaces it.\n';

export async function runDemo(options: DemoOptions, context: Context): Promise<DemoResult> {
  const startedMs = performance.now();
  const { directory, parts } = options;
  await freshDirectory(directory);
  const narrator = new Narrator(context, STEPS);
  narrator.step(
    'The problem',
    'Hospitals cannot pool notes to train a model that finds PHI, because the notes hold PHI. Here ' +
      'they pool noisy vectors instead. A registry and a pool now start on loopback ports.',
  );
  const publisher = await createKeyFiles(path.join(directory, 'provider', 'keys'));
  const servers = await DemoServers.start(path.join(directory, 'servers'), holders(parts));
  const setting: DemoSetting = { ...options, servers, publisher, context, narrator };
  try {
    await servers.enrol('provider', publisher.publicKeyFile);
    narrator.tell(`registry ${servers.addresses.registry}, pool ${servers.addresses.pool}`);
    const loop = await theLoop(setting);
    const result = { ...loop, seconds: (performance.now() - startedMs) / 1000, directory };
    await writeFile(path.join(directory, RESULT), `${JSON.stringify(result, null, 2)}\n`);
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
  const representation = await provide(setting);

  narrator.step(
    `${count} institutions encode and contribute`,
    'Each fetches the bundle, checks its signature, turns its own notes into noisy vectors on its ' +
      'own machine, and uploads vectors, casing and labels, shuffled. Text never leaves.',
  );
  const shared: Shared[] = [];
  for (const institution of parts.institutions) {
    shared.push(await share(institution, representation, setting));
  }

  narrator.step(
    'The pool trains a de-identifier',
    'on a snapshot of all vectors, streamed over HTTP; it has never seen a word.',
  );
  const pipeline = await trainOnPool(representation, setting);

  narrator.step(
    'An institution de-identifies unseen notes',
    `It fetches the pipeline and runs it on ${parts.unseen.length} notes that nothing was trained on.`,
  );
  const pooled = await deidentifyUnseen(pipeline, setting);

  narrator.step(
    'An auditor attacks the representation',
    'With the model in hand, from likelihoods to the paper’s adversary, which goes on learning to ' +
      'tell real pairs from fake ones. Beside them stands a limit on every attack on pairs.',
  );
  const { report, file } = await attack(representation, setting);
  narrator.tell(report.verdict);
  narrator.tell(`report: ${file}`);

  narrator.step(
    'The baselines',
    'The same de-identifier without privacy, by each institution alone, on the public notes alone, and ' +
      'on pseudonymised notes.',
  );
  const rows = await compare(setting, pooled, shared);
  return { rows, shared, audit: report };
}

/** Every way of training on the institutions' notes, scored on the same unseen notes. */
async function compare(
  setting: DemoSetting,
  pooled: Evaluation,
  shared: readonly Shared[],
): Promise<Row[]> {
  const { institutions, provider } = setting.parts;
  const published = await scoreBaseline(trainRaw, provider, setting, 'public notes');
  const together = institutions.flatMap(({ notes }) => [...notes]);
  const central = await scoreBaseline(trainRaw, together, setting, 'centralised');
  const alone: Scores[] = [];
  for (const { name, notes } of institutions) {
    alone.push(await scoreBaseline(trainRaw, notes, setting, name));
  }
  const pseudonymised = await scoreBaseline(trainPseudonymised, together, setting, 'pseudonymised');
  const bytes = shared.reduce((sum, each) => sum + each.bytes, 0);
  return [
    { name: 'non-private, centralised', shared: 'every note, in clear', scores: central },
    ...institutions.map(({ name, notes }, i) => ({
      name: `${name} alone (${notes.length} notes)`,
      shared: 'nothing',
      scores: alone[i],
    })),
    {
      name: `the provider’s public notes alone (${provider.length})`,
      shared: 'nothing',
      scores: published,
    },
    { name: 'institutions alone, mean', shared: 'nothing', scores: meanScore(alone) },
    { name: 'pseudonymised, centralised', shared: 'text, names swapped', scores: pseudonymised },
    {
      name: 'pooled private (Tacet)',
      shared: `vectors, ${bytesText(bytes)}`,
      scores: scoresOf(pooled),
    },
  ];
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
  ];
}

function holders({ institutions }: Parts): Record<string, Role> {
  return {
    provider: 'provider',
    trainer: 'consumer',
    auditor: 'auditor',
    ...Object.fromEntries(institutions.map((each) => [holderOf(each), 'institution' as const])),
  };
}

/** An empty directory that others cannot read, since notes lie in it; only a former demo's is replaced. */
async function freshDirectory(directory: string): Promise<void> {
  const marker = path.join(directory, MARKER);
  const former = await readFile(marker, 'utf8').catch(() => null);
  if (former === MARK) await rm(directory, { recursive: true });
  try {
    await mkdir(directory, { mode: 0o700 });
  } catch (cause) {
    throw new TacetError(
      'file-exists',
      `${directory} exists already and is no former demo, or cannot be made; choose another with --out`,
      { cause },
    );
  }
  await writeFile(marker, MARK);
}
