import path from 'node:path';
import type { Manifest } from '../../models/bundle/manifest.js';
import { scoreTexts } from '../../models/bundle/stated-scores.js';
import { commandLine } from './shell-words.js';
import type { UnsignedBundle } from './unsigned-bundle.js';

/** Where `tacet keys create` puts a pair of keys for who has none. */
const KEYS = 'keys';
const SCORE_WIDTH = 50;

/** What a training ended with, for people. */
export function resultLines(
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
