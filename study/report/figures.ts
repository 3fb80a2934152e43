import { percentAxis } from '../../models/charts/percent-axis.js';
import { CHANCE, flatLine, REFERENCE_LOOK } from '../../models/charts/reference-lines.js';
import { type Axis, lookOf, type Series } from '../../models/charts/series.js';
import type { Cell } from './cell.js';
import { intervalsOver, type NamedFigure, pointsOf, scoreOf } from './figure-parts.js';
import { frontier, wordFrontier } from './frontier.js';
import type { Metric } from './metrics.js';
import type { Row } from './row.js';
import { kindName, meaningsOf, nameOf, settingsOf } from './row-names.js';

/** Figure 4 has so many curves of one kind, and so many lines of reference. */
const MOST_OF_A_KIND = 3;

const NEIGHBOURS: Pick<Axis, 'label' | 'columns' | 'text'> = {
  label: 'N, the words that a PHI word may become: a column for each',
  columns: true,
  text: String,
};
const SIDE_BY_SIDE = 'Points of one N stand side by side in its column. ';

/** Every figure that the rows have points for. */
export function resultFigures(rows: readonly Row[]): NamedFigure[] {
  return [figure4(rows), ...figure5(rows), frontier(rows), wordFrontier(rows)].flatMap(
    (each) => each ?? [],
  );
}

/** Friedrich et al. 2019, Figure 4. */
function figure4(rows: readonly Row[]): NamedFigure | null {
  const moved = rows.filter((row) => row.neighbours !== null && scoreOf(row));
  const shown = plainest(moved);
  if (shown.length === 0) return null;
  const x = neighbourAxis(shown);
  const curves = linesOf(shown, scoreOf);
  const plain = rows.filter(({ kind, cells }) => kind === 'raw' && cells.ownF1);
  const references = plain
    .slice(0, MOST_OF_A_KIND)
    .map((row, i) => flatLine(nameOf(row), row.cells.ownF1?.value ?? 0, x, i));
  const left = variantsOf(moved).length - variantsOf(shown).length;
  return {
    file: 'figure-4',
    figure: {
      title: 'Figure 4. How well PHI is found, by how far words are moved',
      x,
      y: percentAxis('binary token F1, per cent', [...curves, ...references]),
      series: [...curves, ...references],
      caption:
        'Binary token F1 (tokens, PHI or not) on held-out notes. ' +
        `${trainingText(shown)}${references.length > 0 ? 'Lines without markers: trained on the notes as they are. ' : ''}` +
        meaningsOf(shown) +
        (left > 0 ? `${left} other settings of these kinds stand in the tables. ` : '') +
        `${SIDE_BY_SIDE}Bars: 95 % intervals, ${intervalsOver(shown)}. After Friedrich et al. 2019, ` +
        'Figure 4 (there: i2b2 2014).',
    },
  };
}

/** What the de-identifier of each kind has learned from. */
function trainingText(rows: readonly Row[]): string {
  const names = (isMeant: (row: Row) => boolean) =>
    [...new Set(rows.filter(isMeant).map(({ kind }) => kindName(kind)))].join(', ');
  const released = names(({ hasRepresentation }) => hasRepresentation);
  const sentences = {
    'Pseudonymised text: its PHI words were replaced in training': names(
      ({ kind }) => kind === 'pseudonymized',
    ),
    'With pseudonymised copies: trained on the notes themselves and such copies, nothing is private':
      names(({ kind }) => kind === 'augmented'),
    [`${released[0]?.toUpperCase()}${released.slice(1)}: a new de-identifier, trained on nothing but one release of every training sentence`]:
      released,
  };
  const said = Object.entries(sentences).filter(([, meant]) => meant !== '');
  return said.map(([sentence]) => `${sentence}. `).join('');
}

/** Of each kind the rows that differ least from the defaults: few curves, those with most N. */
function plainest(rows: readonly Row[]): Row[] {
  const kinds = [...new Set(rows.map(({ kind }) => kind))];
  return kinds.flatMap((kind) => {
    const own = rows.filter((row) => row.kind === kind);
    const least = Math.min(...own.map((row) => settingsOf(row).length));
    const plain = own.filter((row) => settingsOf(row).length === least);
    const sizes = (name: string) => plain.filter((row) => nameOf(row) === name).length;
    const names = variantsOf(plain).sort((a, b) => sizes(b) - sizes(a));
    const kept = names.slice(0, MOST_OF_A_KIND);
    return plain.filter((row) => kept.includes(nameOf(row)));
  });
}

/** Friedrich et al. 2019, Figure 5, one for each way of training a representation. */
function figure5(rows: readonly Row[]): NamedFigure[] {
  return ['adversarial', 'dann', 'certified'].flatMap((kind) => {
    const own = rows.filter((row) => row.kind === kind && row.cells.adversaryUnseen);
    if (own.length === 0) return [];
    const x = neighbourAxis(own);
    const series = [...adversaryLines(own), flatLine('chance', CHANCE, x)];
    const untaught = own.some((row) => !row.hasTaughtAdversary);
    return [
      {
        file: `figure-5-${kind}`,
        figure: {
          title: `Figure 5. The adversary against frozen representations: ${kindName(kind)}`,
          x,
          y: percentAxis('right answers on balanced pairs, per cent', series),
          series,
          caption:
            'The adversary of training must tell whether two releases come from one sentence or one of ' +
            'them has a PHI word moved. Hollow: at the freeze' +
            (untaught ? ' (left out where none had learned anything by then)' : '') +
            `. Filled: after it learned on against the frozen representation, ${epochsText(own)}. ` +
            'On notes that it has not seen, unless the legend says otherwise. ' +
            `${meaningsOf(own)}${SIDE_BY_SIDE}Bars: 95 % intervals, ${intervalsOver(own)}. It shows what one ` +
            'adversary can do, and is no limit. After Friedrich et al. 2019, Figure 5.',
        },
      },
    ];
  });
}

/** A look for each variant: hollow at the freeze, filled after learning on. */
function adversaryLines(rows: readonly Row[]): Series[] {
  const names = variantsOf(rows);
  const taught = rows.filter((row) => row.hasTaughtAdversary);
  const unseen = linesOf(rows, cellOf('adversaryUnseen'));
  const frozen = names.flatMap((name, i) =>
    lineOf(taught, name, cellOf('adversaryBefore'), { ...lookOf(i), dashed: true }),
  );
  const hollow = { hollow: true, dashed: true };
  if (names.length > 1) {
    const key = { name: 'the same at the freeze', points: [], ...REFERENCE_LOOK, ...hollow };
    const before = frozen.map((each) => ({ ...each, name: '', ...hollow }));
    return [...before, ...unseen, ...(before.length > 0 ? [key] : [])];
  }
  return [
    ...frozen.map((each) => ({ ...each, name: 'at the freeze', ...hollow })),
    ...unseen.map((each) => ({ ...each, name: 'after learning on: unseen notes' })),
    ...lineOf(rows, names[0], cellOf('adversaryLearned'), lookOf(1)).map((each) => {
      return { ...each, name: 'after learning on: its own notes' };
    }),
  ];
}

function cellOf(metric: Metric): (row: Row) => Cell | undefined {
  return ({ cells }) => cells[metric];
}

/** How long the adversaries of some rows learned on. */
function epochsText(rows: readonly Row[]): string {
  const learned = rows.flatMap(({ learnedOn }) => learnedOn);
  const [epochs, limits] = [learned.map((each) => each.epochs), learned.map((e) => e.maxEpochs)];
  const [least, most, limit] = [Math.min(...epochs), Math.max(...epochs), Math.max(...limits)];
  const range = least === most ? `for ${most} epochs` : `for ${least} to ${most} epochs`;
  return least >= limit
    ? range
    : `${range} of at most ${limit} (fewer where it found nothing more, or time cut it short)`;
}

/** A line over N for each kind and variant, each with a look of its own. */
function linesOf(rows: readonly Row[], cell: (row: Row) => Cell | undefined): Series[] {
  return variantsOf(rows).flatMap((name, i) => lineOf(rows, name, cell, lookOf(i)));
}

function lineOf(
  rows: readonly Row[],
  name: string,
  cell: (row: Row) => Cell | undefined,
  look: Pick<Series, 'colour' | 'marker' | 'dashed'>,
): Series[] {
  const found = rows.flatMap((row) => {
    const own = nameOf(row) === name ? cell(row) : undefined;
    return own ? [{ x: row.neighbours ?? 1, ...own }] : [];
  });
  if (found.length === 0) return [];
  return [{ name, ...pointsOf(found.sort((a, b) => a.x - b.x)), ...look }];
}

function variantsOf(rows: readonly Row[]): string[] {
  return [...new Set(rows.map(nameOf))];
}

function neighbourAxis(rows: readonly Row[]): Axis {
  const sizes = [...new Set(rows.map(({ neighbours }) => neighbours ?? 1))].sort((a, b) => a - b);
  return { ...NEIGHBOURS, from: 0, to: sizes[sizes.length - 1] + 1, ticks: sizes };
}
