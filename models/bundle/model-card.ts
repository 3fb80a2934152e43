import type { InventoryFile } from '../surrogates/inventory.js';
import { cardMetadata } from './card-metadata.js';
import type { Facts, Manifest, NoiseLevel } from './manifest.js';
import { scoreTexts } from './stated-scores.js';
import { READS_BOTH, readsText, scoresNote, USES, weightsTell } from './uses.js';

const LIMITS_OF_RELEASES = [
  '- A labelled entity is replaced by a public one before anything is encoded, unless whoever encodes has it kept:',
  '  what leaves does not depend on what it was, whatever this model does.',
  '- A name that nobody labelled, or one that is kept, is encoded as it is. The limit that audits state of it is a mean',
  '  over near words, for one release: read an audit of this model before encoding with it.',
  '- The rest of the text is not hidden: the noise leaves much of it to be read. Labels and sentence lengths are shared',
  '  in clear.',
];

/** `MODEL_CARD.md`: the manifest in words, for who decides whether to use the model. */
export function writeModelCard(
  manifest: Omit<Manifest, 'files'>,
  inventory?: InventoryFile,
): string {
  const { name, version, kind, architecture, labelScheme, embeddings, noise } = manifest;
  const use = USES[kind];
  const purpose =
    kind === 'pipeline'
      ? 'Finds protected health information in clinical notes. It runs inside an institution.'
      : 'Turns labelled clinical sentences into noisy vectors that may leave an institution.';
  return `${cardMetadata(manifest)}\n\n${[
    `# ${name} ${version}`,
    purpose,
    `## Intended use\n\nFor ${use.intended}.`,
    `## Not for\n\n${use.notFor.map((other) => `- ${other}`).join('\n')}`,
    table('Text', {
      tokenisation: manifest.tokenisation,
      'label scheme': `${labelScheme.name} ${labelScheme.version}`,
      labels: labelScheme.labels.join(', '),
      embeddings: `${embeddings.name}, ${embeddings.dimension} dimensions`,
      'embeddings SHA-256': embeddings.identity,
    }),
    ...(architecture.representation
      ? [table('Representation', { ...architecture.representation })]
      : []),
    ...(architecture.deidentifier
      ? [table('De-identifier', { ...architecture.deidentifier })]
      : []),
    ...(noise
      ? [
          table('Noise', {
            'input standard deviation': levelText(noise.inputStddev),
            'output standard deviation': levelText(noise.outputStddev),
          }),
        ]
      : []),
    table('Training', manifest.training),
    ...(inventory ? [inventoryText(inventory)] : []),
    `${table('Scores', scoreTexts(manifest.scores))}\n\n${scoresNote(manifest.training)}`,
    ['## Limits', ...limits(manifest)].join('\n'),
    `Created ${manifest.created}.`,
  ].join('\n\n')}\n`;
}

function limits({ noise, training, architecture }: Omit<Manifest, 'files'>): readonly string[] {
  if (architecture.deidentifier?.wordDimension !== undefined) return [READS_BOTH];
  return noise ? [...LIMITS_OF_RELEASES, `- ${weightsTell(training)}`] : [readsText(training)];
}

function table(title: string, facts: Facts): string {
  const rows = Object.entries(facts).map(([key, value]) => `| ${cell(key)} | ${cell(value)} |`);
  return [`## ${title}`, '', '| | |', '|---|---|', ...rows].join('\n');
}

function inventoryText({ sources, types }: InventoryFile): string {
  const origins = sources.map(({ name, kind }) => `${kind} ${name}`).join(', ');
  const rows = Object.fromEntries(
    Object.entries(types).map(([type, forms]) => [type, `${forms.length} forms`]),
  );
  const intro = `Public entities that stand for those of notes before they are encoded, from: ${origins}.`;
  const [title, ...lines] = table('Inventory', rows).split('\n');
  return [title, '', intro, ...lines].join('\n');
}

function cell(value: string | number | boolean): string {
  return String(value).replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');
}

function levelText({ mean, min, max }: NoiseLevel): string {
  return `mean ${mean.toPrecision(3)}, from ${min.toPrecision(3)} to ${max.toPrecision(3)}`;
}
