import type { VNode } from 'preact';
import type { Noise, NoiseLevel } from '../../../models/bundle/manifest.js';
import type { Column } from '../../../platform/pages/table.js';
import { WideTable } from '../../../platform/pages/wide-table.js';

interface NoiseRow extends NoiseLevel {
  readonly where: string;
}

const DIGITS = 3;

/** The noise of a representation, by where it is added. */
export function NoiseTable({ noise }: { readonly noise: Noise }): VNode {
  return (
    <>
      <h3>Noise</h3>
      <WideTable
        name="Noise"
        kind="dense"
        columns={COLUMNS}
        rows={[
          { where: 'in: on word vectors', ...noise.inputStddev },
          { where: 'out: on what leaves', ...noise.outputStddev },
        ]}
      />
      <p class="note">
        Gaussian, of one standard deviation a dimension. Vectors have length one before the noise
        that is added to them on their way out, whose mean squared length is the sum of squares.
      </p>
    </>
  );
}

const COLUMNS: readonly Column<NoiseRow>[] = [
  { heading: 'standard deviation', rowHeading: true, cell: ({ where }) => where },
  { heading: 'mean', number: true, cell: ({ mean }) => mean.toPrecision(DIGITS) },
  { heading: 'least', number: true, cell: ({ min }) => min.toPrecision(DIGITS) },
  { heading: 'greatest', number: true, cell: ({ max }) => max.toPrecision(DIGITS) },
  {
    heading: 'sum of squares',
    number: true,
    cell: ({ sumOfSquares }) => sumOfSquares.toPrecision(DIGITS),
  },
];
