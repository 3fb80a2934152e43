import { meanOf } from '../../models/statistics/mean-of.js';
import { hundredths } from '../../platform/percent-text.js';
import type { Table } from '../report/text-table.js';
import type { WordTold } from './sharing-attack.js';
import { NOTHING_LEAVES, type SharingResult, WEIGHTS_LEAVE } from './sharing-result.js';

/** A row for each way, means over seeds: what leaves, what comes of it in every place, what it costs. */
export function sharingTable(results: readonly SharingResult[]): Table {
  const places = Object.keys(results[0]?.sites ?? {});
  const head = [
    ...['way', 'leaves', 'MB', 'rounds online'],
    ...places.flatMap((place) => [`F1 ${place}`, `recall ${place}`]),
    ...['mean F1', 'PHI word told', 'guarantee', 's', 's of CPU', 'seeds'],
  ];
  const names = [...new Set(results.map(({ row }) => row))];
  return [head, ...names.map((name) => rowOf(name, results, places))];
}

function rowOf(name: string, results: readonly SharingResult[], places: readonly string[]) {
  const own = results.filter(({ row }) => row === name);
  const [first] = own;
  const mean = (of: (result: SharingResult) => number) => meanOf(own.map(of));
  const score = (place: string, measure: 'f1' | 'recall') =>
    mean(({ sites }) => sites[place]?.binaryToken[measure].value ?? 0);
  const f1s = places.map((place) => score(place, 'f1'));
  return [
    ...[name, first?.leaves ?? '', (mean(({ bytes }) => bytes) / 1e6).toFixed(2)],
    `${first?.rounds ?? 0}`,
    ...places.flatMap((place, i) => [
      hundredths(f1s[i] as number),
      hundredths(score(place, 'recall')),
    ]),
    ...[
      hundredths(meanOf(f1s)),
      toldText(
        own.flatMap(({ told }) => told ?? []),
        first?.leaves,
      ),
      first?.guarantee ?? '',
    ],
    mean(({ wallSeconds }) => wallSeconds).toFixed(0),
    mean(({ cpuSeconds }) => cpuSeconds).toFixed(0),
    `${own.length}`,
  ];
}

function toldText(told: readonly WordTold[], leaves: string | undefined): string {
  const [first] = told;
  if (!first && leaves === WEIGHTS_LEAVE) return 'not attacked';
  if (!first) return leaves === NOTHING_LEAVES.leaves ? 'nothing leaves' : 'no word can move';
  const value = hundredths(meanOf(told.map((each) => each.value)));
  switch (first.by) {
    case 'reading':
      return `${value}, in clear`;
    case 'construction':
      return `${value}, labelled words, exactly`;
    case 'limit':
      return `${value}, the limit of all attacks`;
    case 'attack':
      return `${value}, by attacks that were tried; blind ${hundredths(meanOf(told.flatMap(({ blind }) => blind ?? [])))}`;
  }
}
