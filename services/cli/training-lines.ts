import path from 'node:path';
import type { Manifest } from '../../models/bundle/manifest.js';
import { scoreTexts } from '../../models/bundle/stated-scores.js';
import type { Estimate } from '../../models/statistics/estimate.js';
import { statisticsLine } from '../../models/training/data/phi-statistics.js';
import { stageLines } from '../../models/training/statement.js';
import { hundredths, percent } from '../../platform/percent-text.js';
import { commandLine } from '../../platform/shell-words.js';
import type { PooledReport } from '../workflows/train/pooled-run.js';
import type { TrainingReport } from '../workflows/train/training-run.js';
import type { UnsignedBundle } from '../workflows/train/unsigned-bundle.js';

/** Where `tacet keys create` puts a pair of keys for who has none. */
const KEYS = 'keys';
const SCORE_WIDTH = 50;

/** What a training on notes ended with, for people. */
export function trainingLines(report: TrainingReport): string[] {
  const { stages, statistics, limit, scores, bundles, unbundled, documents } = report;
  const measuredOn = `the ${documents.validation} validation notes, which ended the training`;
  return [
    ...stageLines(stages),
    ...(statistics ? [statisticsLine(statistics)] : []),
    ...resultLines(scores, measuredOn, bundles),
    ...(limit ? [limitLine(limit)] : []),
    ...(unbundled === undefined ? [] : [unbundled]),
  ];
}

/** The same of a training on a snapshot. */
export function pooledLines({ stage, scores, measuredOn, bundle }: PooledReport): string[] {
  const { count, of } = measuredOn;
  const what = of === 'notes' ? 'notes of your own' : 'sentences of the snapshot';
  const by = `${count} ${what}, which ended the training`;
  return [...stageLines({ pooled: stage }), ...resultLines(scores, by, [bundle])];
}

function resultLines(
  scores: Manifest['scores'],
  measuredOn: string,
  bundles: readonly UnsignedBundle[],
): string[] {
  return [
    `measured on ${measuredOn} [95 % interval]:`,
    ...Object.entries(scoreTexts(scores)).map(
      ([score, text]) => `  ${score.padEnd(SCORE_WIDTH)} ${text}`,
    ),
    ...bundles.map(
      ({ kind, manifest, weights }) =>
        `made ${manifest}, ${path.basename(weights)}: a ${kind}, to be signed`,
    ),
  ];
}

function limitLine({ value, interval }: Estimate): string {
  const [from, to] = interval.map((end) => hundredths(end));
  return `no adversary is right about more than ${percent(value)} of pairs [${from}, ${to}]`;
}

/** What can be done with what a training made. */
export interface NextStep {
  readonly out: string;
  /** As the command line named it. */
  readonly embeddings: string;
  /** Notes to try a pipeline on. */
  readonly notes: string;
}

/** The commands that come next, ready to copy: signing, and for a pipeline, finding PHI with it. */
export function nextCommands(
  bundles: readonly UnsignedBundle[],
  { out, embeddings, notes }: NextStep,
): string[] {
  if (bundles.length === 0) return [];
  const signed = ({ kind }: UnsignedBundle) => `${path.normalize(out).replace(/\/$/, '')}-${kind}`;
  const create = bundles.map((bundle) =>
    commandLine(
      ...['tacet', 'bundle', 'create', signed(bundle), '--manifest', bundle.manifest],
      ...['--weights', bundle.weights],
      ...(bundle.inventory === undefined ? [] : ['--inventory', bundle.inventory]),
      ...(bundle.metrics === undefined ? [] : ['--metrics', bundle.metrics]),
      ...['--key', `${KEYS}/private.pem`],
    ),
  );
  const use = bundles
    .filter(({ kind }) => kind === 'pipeline')
    .map((pipeline) =>
      commandLine(
        ...['tacet', 'deidentify', notes, `${signed(pipeline)}-clean`],
        ...['--model', signed(pipeline), '--trust', `${KEYS}/public.pem`],
        ...['--embeddings', embeddings],
      ),
    );
  return [`tacet keys create ${KEYS}`, ...create, ...use];
}

/** `commands` under a line that says what they are. */
export function nextLines(commands: readonly string[]): string[] {
  if (commands.length === 0) return [];
  return [
    `next, the first where there are no keys in ${KEYS} yet:`,
    ...commands.map((command) => `  ${command}`),
  ];
}
