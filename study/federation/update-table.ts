import { hundredths } from '../../platform/percent-text.js';
import type { Table } from '../report/text-table.js';
import type { UpdateStudyResult } from './update-study.js';

/** A row for each way, round and seed: what is attacked, and how far each attack gets. */
export function updateTable(results: readonly UpdateStudyResult[]): Table {
  return [
    [
      ...['way', 'rounds before', 'seed', 'texts', 'tokens', 'epsilon'],
      ...[
        'word told',
        'blind',
        'pairs',
        'word ranked',
        'blind',
        'words',
        'text told (AUC)',
        'characters',
        'words inverted',
        'blind',
        'PHI inverted',
        'blind',
      ],
    ],
    ...results.map((result) => {
      const { told, toldBlind, spanned, spannedBlind, membership, characters, epsilon } = result;
      return [
        ...[result.way, `${result.after}`, `${result.seed}`, `${result.texts}`],
        ...[result.tokens.toFixed(0), epsilon?.toFixed(2) ?? 'none'],
        ...[within(told.value, told.interval), hundredths(toldBlind.value), `${result.pairs}`],
        ...[within(spanned.value, spanned.interval), hundredths(spannedBlind.value)],
        `${result.words}`,
        within(membership.auc, membership.interval),
        characters
          ? `${characters.found} of ${characters.there}, ${characters.wrong} wrong`
          : 'none read',
        ...invertedCells(result.inverted),
      ];
    }),
  ];
}

function invertedCells(inverted: UpdateStudyResult['inverted']): string[] {
  if (!inverted) return ['not tried', '', '', ''];
  const { all, allBlind, phi, phiBlind } = inverted;
  return [
    ...[within(all.value, all.interval), hundredths(allBlind.value)],
    ...[within(phi.value, phi.interval), hundredths(phiBlind.value)],
  ];
}

function within(value: number, [low, high]: readonly [number, number]): string {
  return `${hundredths(value)} [${hundredths(low)}, ${hundredths(high)}]`;
}
