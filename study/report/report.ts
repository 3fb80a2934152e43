import { readFileSync } from 'node:fs';
import { type Collected, unreadableText } from '../runs/collect.js';
import type { Machine } from '../runs/machine.js';
import type { NamedFigure } from './figure-parts.js';
import type { Row } from './row.js';
import { resultTables } from './table.js';
import { markdownTable } from './text-table.js';

interface Published {
  readonly system: string;
  readonly corpus: string;
  readonly score: string;
  /** Per cent. */
  readonly value: number;
  readonly source: string;
}

const PUBLISHED = JSON.parse(
  readFileSync(new URL('../published.json', import.meta.url), 'utf8'),
) as readonly Published[];

/** Between these lines a person writes, and writing the report anew keeps it. */
const READING = [
  '<!-- reading: kept when this file is written anew -->',
  '<!-- end of reading -->',
];
const EMPTY_READING = 'No reading yet.';

export interface ReportParts extends Collected {
  readonly rows: readonly Row[];
  readonly figures: readonly NamedFigure[];
  /** Files of the figures of single runs, below the report. */
  readonly curves: readonly string[];
  /** The command that wrote the report. */
  readonly command: string;
}

/** `RESULTS.md`; `before` is the file that it replaces. */
export function resultsReport(parts: ReportParts, before?: string): string {
  const { rows, figures, curves, unfinished, unreadable } = parts;
  const lines = [
    '# Results',
    '',
    ...provenance(parts),
    '',
    '## Reading',
    '',
    READING[0],
    readingOf(before),
    READING[1],
    '',
    ...resultTables(rows).flatMap(({ title, legend, table }) => [
      ...[`## ${title}`, '', legend, ''],
      ...markdownTable(table),
      '',
    ]),
    ...(unfinished.length > 0 ? [`Not finished: ${unfinished.join(', ')}.`, ''] : []),
    ...unreadable.flatMap((each) => [`- ${unreadableText(each)}`, '']),
    '## Figures',
    '',
    ...figures.flatMap(({ file, figure }) => [`![${figure.title}](figures/${file}.svg)`, '']),
    '## Published scores',
    '',
    'Per cent, as their authors report them, on other notes than ours: for orientation, not for comparison.',
    '',
    ...publishedTable(),
    '',
    ...(curves.length > 0
      ? ['## Curves of single runs', '', ...curves.map((file) => `- [${file}](${file})`), '']
      : []),
  ];
  return lines.join('\n');
}

/** Lines of Markdown. */
export function publishedTable(): string[] {
  return markdownTable([
    ['system', 'corpus', 'score', 'value', 'source'],
    ...PUBLISHED.map(({ system, corpus, score, value, source }) => [
      ...[system, corpus, score, value.toFixed(2), source],
    ]),
  ]);
}

/** What people want to know before they believe a number. */
function provenance({ runs, command }: ReportParts): string[] {
  const epochs = distinct(runs.flatMap(({ run }) => run.epochs));
  const measured = distinct(
    runs.flatMap(({ measurements }) =>
      Object.values(measurements ?? {}).flatMap((each) => (typeof each === 'object' ? [each] : [])),
    ),
  );
  const [training, measuring] = [epochs, measured].map(hoursOf);
  const machines = new Set(measured.map(({ machine }) => machineText(machine)));
  const seeds = [...new Set(runs.map(({ run }) => run.config.seed))].sort((a, b) => a - b);
  return [
    `- Written by \`${command}\`; the runs by \`tacet experiment\` and \`tacet train\`, whose configurations lie beside them.`,
    `- ${runs.length} runs, seeds ${seeds.join(', ')}; ${training} hours of training epochs, ${measuring} of measuring; what several runs share is counted once.`,
    ...(machines.size > 0 ? [`- Measured on ${[...machines].join('; ')}.`] : []),
    '- Every score is on held-out notes that nothing was trained on; whether a recipe was chosen by them stands under _Reading_.',
  ];
}

function machineText({ cpu, cores, threads, node }: Machine): string {
  const used =
    threads === null ? '' : `, ${threads} kernel ${threads === 1 ? 'thread' : 'threads'}`;
  return `${cpu}, ${cores} cores${used}, Node ${node.replace(/^v/, '')}`;
}

/** Runs copied whole, or begun from a phase of another, have records in common to the last digit. */
function distinct<T>(records: readonly T[]): T[] {
  return [...new Map(records.map((each) => [JSON.stringify(each), each])).values()];
}

function hoursOf(timed: readonly { readonly seconds: number }[]): string {
  return (timed.reduce((sum, { seconds }) => sum + seconds, 0) / 3600).toFixed(1);
}

function readingOf(before?: string): string {
  const from = before?.indexOf(READING[0]) ?? -1;
  const to = before?.indexOf(READING[1]) ?? -1;
  if (before === undefined || from < 0 || to < from) return EMPTY_READING;
  return before.slice(from + READING[0].length, to).trim();
}
