import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Document } from '../../../../models/text/document.js';
import type { EntityTreatment } from '../../../../proto/entity-treatment.js';
import { encode } from '../../../../services/institution/release/encode.js';
import { Outbox } from '../../../../services/institution/release/home/outbox.js';
import { Ledger } from '../../../../services/institution/release/ledger/ledger.js';
import { LedgerWitness } from '../../../../services/institution/release/ledger/ledger-witness.js';
import { notesOfDistinctLengths } from '../notes.js';
import { encodingModelOf, type Publisher } from '../publisher.js';

/** Where an encoding process kills itself, at its second segment. */
export const INSTANTS = [
  'before the segment is written',
  'after the segment is fsynced',
  'before the ledger is committed',
  'after the ledger is committed',
  'before the witness is settled',
] as const;

export interface EncodeJob {
  readonly publisher: Publisher;
  readonly home: string;
  readonly notes: number;
  readonly segmentBytes: number;
  readonly maxReleases?: number;
  /** Kept unless said otherwise. */
  readonly entities?: EntityTreatment;
  /** Ends each note with an organisation, which is kept where the rest is replaced. */
  readonly keepsOrganisations?: boolean;
  readonly dieAt?: (typeof INSTANTS)[number];
}

/** Encodes in a process of its own; returns the signal that ended it, null where it ended itself. */
export async function encodeInProcess(job: EncodeJob): Promise<NodeJS.Signals | null> {
  const args = ['--no-warnings', fileURLToPath(import.meta.url), JSON.stringify(job)];
  const child = spawn(process.execPath, args, {
    stdio: 'inherit',
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  const [code, signal] = await once(child, 'exit');
  if (code !== 0 && signal === null) throw new Error(`the encoding process failed with ${code}`);
  return signal;
}

const KEPT = {
  keptTypes: ['ORG'],
  certification: { limit: 1, neighbours: 3, twins: 4 },
};

/** As long as it was. */
function withOrganisation({ id, text }: Document): Document {
  const start = 0;
  const end = text.search(/[ .]/);
  return { id, text, spans: [{ type: 'ORG', start, end }] };
}

async function main(): Promise<void> {
  const job: EncodeJob = JSON.parse(process.argv[2] ?? '');
  const { publisher, home, notes, segmentBytes, maxReleases, entities = 'kept', dieAt } = job;
  if (dieAt) arrangeDeath(dieAt);
  const model = await encodingModelOf(publisher);
  const documents = notesOfDistinctLengths(notes);
  const options = { segmentBytes, maxReleases, labelDocuments: 1 };
  if (job.keepsOrganisations)
    await encode(documents.map(withOrganisation), model, home, { ...options, ...KEPT });
  else await encode(documents, model, home, { ...options, entities });
}

/** Wraps the steps of the real classes, so that SIGKILL comes between two of them. */
function arrangeDeath(instant: (typeof INSTANTS)[number]): void {
  const die = () => process.kill(process.pid, 'SIGKILL');
  const { add } = Outbox.prototype;
  const { recordSegment, exclusively } = Ledger.prototype;
  let added = 0;
  Outbox.prototype.add = async function (...parts) {
    added++;
    if (added === 2 && instant === INSTANTS[0]) die();
    const digest = await add.call(this, ...parts);
    if (added === 2 && instant === INSTANTS[1]) die();
    return digest;
  };
  Ledger.prototype.recordSegment = async function (...segment) {
    await recordSegment.call(this, ...segment);
    if (added === 2 && instant === INSTANTS[2]) die();
  };
  const { settle } = LedgerWitness.prototype;
  LedgerWitness.prototype.settle = function (state) {
    if (added === 2 && instant === INSTANTS[4]) die();
    return settle.call(this, state);
  };
  Ledger.prototype.exclusively = async function <T>(
    this: Ledger,
    work: () => T | Promise<T>,
    signal?: AbortSignal,
  ) {
    const result = (await exclusively.call(this, work, signal)) as T;
    if (added === 2 && instant === INSTANTS[3]) die();
    return result;
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();
