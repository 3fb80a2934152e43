import type { Manifest } from './manifest.js';
import { statedScores } from './stated-scores.js';

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

/** The stated scores, on what the publisher says; nothing where there are none. */
function modelIndex({ name, labelScheme, scores, training }: Omit<Manifest, 'files'>) {
  const metrics = statedScores(scores).map((score) => ({
    type: slugOf(score.name),
    name: score.name,
    value: score.value,
  }));
  if (metrics.length === 0) return undefined;
  const dataset = String(training.corpus ?? training.snapshot ?? labelScheme.name);
  return [
    {
      name,
      results: [
        {
          task: { type: 'token-classification', name: 'De-identification' },
          dataset: { type: slugOf(dataset), name: dataset },
          metrics,
        },
      ],
    },
  ];
}

function slugOf(text: string): string {
  return (
    text
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '') || 'unnamed'
  );
}
