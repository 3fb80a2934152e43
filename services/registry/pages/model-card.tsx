import type { VNode } from 'preact';
import type { Manifest, Facts as StatedFacts } from '../../../models/bundle/manifest.js';
import { scoreText, statedScores } from '../../../models/bundle/stated-scores.js';
import type { TrainingCurve } from '../../../models/bundle/training-curve.js';
import { readsText, scoresNote, USES } from '../../../models/bundle/uses.js';
import { type Fact, Facts } from '../../../platform/pages/facts.js';
import { Time } from '../../../platform/pages/time.js';
import { NoiseTable } from './noise-table.js';
import { TrainingChart } from './training-chart.js';

interface ModelCardProps {
  readonly manifest: Manifest;
  /** Null where the bundle's cannot be read, undefined where it brings none. */
  readonly curve: TrainingCurve | null | undefined;
}

/** What a manifest says of a model: what it reads, is made of, was trained on and is worth. */
export function ModelCard({ manifest, curve }: ModelCardProps): VNode {
  const { architecture, noise, training, scores, created } = manifest;
  return (
    <>
      <h3>What it reads</h3>
      <Facts facts={readingFacts(manifest)} />
      <Types {...manifest.labelScheme} />
      {architecture.representation && (
        <>
          <h3>Representation</h3>
          <Facts facts={factsOf(architecture.representation)} />
        </>
      )}
      {noise ? <NoiseTable noise={noise} /> : <p>{readsText(training)}</p>}
      {architecture.deidentifier && (
        <>
          <h3>De-identifier</h3>
          <Facts facts={factsOf(architecture.deidentifier)} />
        </>
      )}
      <h3>Training</h3>
      <Facts facts={[...factsOf(training), ['made', <Time iso={created} />]]} />
      <TrainingChart curve={curve} />
      <h3>What its publisher measured</h3>
      <Facts facts={statedScores(scores).map((score): Fact => [score.name, scoreText(score)])} />
      <p class="note">{scoresNote(training)}</p>
    </>
  );
}

/** What a model is for, and what it must not be used for. */
export function Uses({ kind }: Pick<Manifest, 'kind'>): VNode {
  const { intended, notFor } = USES[kind];
  return (
    <>
      <p>For {intended}. Not for:</p>
      <ul>
        {notFor.map((other) => (
          <li>{other}</li>
        ))}
      </ul>
    </>
  );
}

function readingFacts({ tokenisation, labelScheme, embeddings }: Manifest): Fact[] {
  return [
    ['tokenisation', tokenisation],
    ['label scheme', `${labelScheme.name} ${labelScheme.version}`],
    ['embeddings', `${embeddings.name}, ${embeddings.dimension} dimensions`],
    ['their SHA-256', <code>{embeddings.identity}</code>],
  ];
}

/** The types of PHI, and which types of other schemes count as none. */
function Types({ labels, map = {}, digest }: Manifest['labelScheme']): VNode {
  const types = [
    ...new Set(labels.filter((label) => label !== 'O').map((label) => label.slice(2))),
  ];
  const dropped = Object.keys(map).filter((type) => map[type] === null);
  return (
    <details>
      <summary>Types of PHI: {types.length}</summary>
      <Facts
        facts={[
          ['types', types.join(', ')],
          ...(dropped.length > 0 ? [['no PHI for it', dropped.join(', ')] as const] : []),
          ['SHA-256 of the scheme', <code>{digest}</code>],
        ]}
      />
    </details>
  );
}

function factsOf(stated: StatedFacts): Fact[] {
  return Object.entries(stated).map(([what, value]) => [what, `${value}`]);
}
