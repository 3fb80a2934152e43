import type { VNode } from 'preact';
import type { TrainingCurve } from '../../../models/bundle/training-curve.js';
import { LineChart } from '../../../models/charts/line-chart.js';
import { axisAround, curveSeries, epochAxis } from './curve-series.js';
import { cut } from './cut.js';

const MOST_STAGES = 20;
const LONGEST_STAGE = 40;

interface TrainingChartProps {
  /** Null where the bundle's cannot be read, undefined where it brings none. */
  readonly curve: TrainingCurve | null | undefined;
}

/** How a training went, on the notes that ended it. */
export function TrainingChart({ curve }: TrainingChartProps): VNode {
  if (!curve)
    return (
      <p class="what">
        {curve === null
          ? 'Its training curve cannot be read by this version of Tacet.'
          : 'The bundle brings no training curve (tacet bundle create --metrics).'}
      </p>
    );
  const { losses, others } = curveSeries(curve);
  const x = epochAxis(curve.epochs.length);
  return (
    <>
      <div class="charts">
        {losses.length > 0 && (
          <LineChart
            title="Losses on validation notes, by epoch"
            x={x}
            y={axisAround('loss', losses)}
            series={losses}
          />
        )}
        {others.length > 0 && (
          <LineChart
            title="What else was measured on them"
            x={x}
            y={axisAround('value', others)}
            series={others}
          />
        )}
      </div>
      <p class="note">Stages: {stagesOf(curve)}.</p>
    </>
  );
}

/** `P1, epochs 1 to 12; P2, epochs 13 to 20`. */
function stagesOf({ epochs }: TrainingCurve): string {
  const starts = epochs.flatMap(({ stage }, at) => (stage === epochs[at - 1]?.stage ? [] : [at]));
  const texts = starts
    .slice(0, MOST_STAGES)
    .map(
      (start, i) =>
        `${cut(epochs[start]?.stage ?? '', LONGEST_STAGE)}, epochs ${start + 1} to ${starts[i + 1] ?? epochs.length}`,
    );
  return [...texts, ...(starts.length > MOST_STAGES ? ['and others'] : [])].join('; ');
}
