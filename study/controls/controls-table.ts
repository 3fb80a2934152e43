import { hundredths } from '../../platform/percent-text.js';
import type { NamedTable } from '../report/table.js';
import type { Table } from '../report/text-table.js';
import type { Measured } from '../runs/deidentifier-scores.js';
import type { ControlResults } from './controls.js';

/** What was measured, a table each. */
export function controlTables(results: Partial<ControlResults>): NamedTable[] {
  const { neighbours, joining, noise, adversaries } = results;
  return [
    ...(neighbours ? [neighboursTable(neighbours)] : []),
    ...(joining ? [joiningTable(joining)] : []),
    ...(noise ? [noiseTable(noise)] : []),
    ...(adversaries ? [adversariesTable(adversaries)] : []),
  ];
}

function neighboursTable({ N, words, containing }: ControlResults['neighbours']): NamedTable {
  return {
    title: 'Neighbours that contain the word',
    legend:
      'Of the N neighbours of a PHI word of the training notes, in the mean; itself not counted.',
    table: [
      ['N', 'PHI words', 'containing it'],
      [`${N}`, `${words}`, containing.toFixed(2)],
    ],
  };
}

function joiningTable(joining: ControlResults['joining']): NamedTable {
  const rows: Table = joining.map(({ movedBy, sentences, joined, chance, words, named }) => [
    movedBy,
    `${sentences}`,
    ...[withInterval(joined), hundredths(chance)],
    `${words}`,
    withInterval(named),
  ]);
  return {
    title: 'Shuffled sentences put together again',
    legend:
      'Per cent of sentences whose likeliest other one is of the same document, and of words that occur twice or more ' +
      'in a document and are named by all of their pseudonyms there.',
    table: [['moved by', 'sentences', 'joined', 'chance', 'words', 'named'], ...rows],
  };
}

function noiseTable(noise: ControlResults['noise']): NamedTable {
  const rows: Table = noise.map((each) => [
    `${each.factor}`,
    each.stddev.toFixed(3),
    ...[each.nearest, each.amongTen, each.cosine].map((value) => hundredths(value)),
    withInterval(each.scores.binaryToken.f1),
  ]);
  return {
    title: 'One fixed standard deviation',
    legend:
      "In units of the matrix's own. Per cent of noisy vectors of PHI words to which the word itself is nearest, or " +
      'among the ten nearest; F1 of tokens, PHI or not, of a de-identifier that learned from noisy vectors.',
    table: [['times', 'σ', 'nearest', 'among ten', 'cosine', 'F1'], ...rows],
  };
}

function adversariesTable(adversaries: ControlResults['adversaries']): NamedTable {
  const rows: Table = adversaries.map(({ data, task, pairs, accuracy, epochs }) => [
    ...[data, task, `${pairs}`, withInterval(accuracy), `${epochs}`],
  ]);
  return {
    title: 'What the adversary can learn at all',
    legend: 'Per cent of right answers about held-out pairs; 50 is guessing.',
    table: [['released', 'task', 'pairs', 'right', 'epochs'], ...rows],
  };
}

function withInterval({ value, interval: [low, high] }: Measured): string {
  return `${hundredths(value)} [${hundredths(low)}, ${hundredths(high)}]`;
}
