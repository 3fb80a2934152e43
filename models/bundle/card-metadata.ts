import { groupedBy } from '../../platform/grouped-by.js';
import type { Manifest } from './manifest.js';
import { statedScores, VALIDATION_NOTES } from './stated-scores.js';

/**
 * The front matter of a model card, as model hubs read it: https://huggingface.co/docs/hub/model-cards. Values are
 * written as JSON, which is YAML.
 */
export function cardMetadata(manifest: Omit<Manifest, 'files'>): string {
  const { kind, labelScheme } = manifest;
  const { language } = manifest.training;
  const results = modelIndex(manifest);
  const fields: Readonly<Record<string, unknown>> = {
    ...(typeof language === 'string' && { language: [language] }),
    library_name: 'tacet',
    ...(kind === 'pipeline' && { pipeline_tag: 'token-classification' }),
    tags: ['de-identification', 'clinical', kind, labelScheme.name],
    ...(results && { 'model-index': results }),
  };
  const lines = Object.entries(fields).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return ['---', ...lines, '---'].join('\n');
}

/** The stated scores by what they were measured on; nothing where there are none. */
function modelIndex(manifest: Omit<Manifest, 'files'>) {
  const groups = groupedBy(statedScores(manifest.scores), ({ name }) => dataSetOf(name, manifest));
  if (groups.size === 0) return undefined;
  const results = Array.from(groups, ([dataset, scores]) => ({
    task: { type: 'token-classification', name: 'De-identification' },
    dataset: { type: slugOf(dataset), name: dataset },
    metrics: scores.map(({ name, value }) => {
      const [measure] = partsOf(name);
      return { type: slugOf(measure), name: measure, value };
    }),
  }));
  return [{ name: manifest.name, results }];
}

/** What a score says that it is of; where it says nothing, or that training stopped by it, the publisher's own notes. */
function dataSetOf(score: string, { labelScheme, training }: Omit<Manifest, 'files'>): string {
  const own = String(training.corpus ?? training.snapshot ?? labelScheme.name);
  const [, of] = partsOf(score);
  if (of === undefined) return own;
  return of === VALIDATION_NOTES ? `${own}, ${of}` : of;
}

/** A measure, and what it was measured on where the name of the score goes on with that. */
function partsOf(score: string): [measure: string, of: string | undefined] {
  const at = score.indexOf(', ');
  return at < 0 ? [score, undefined] : [score.slice(0, at), score.slice(at + 2)];
}

function slugOf(text: string): string {
  return (
    text
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '') || 'unnamed'
  );
}
