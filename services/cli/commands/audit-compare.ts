import { Command } from 'commander';
import {
  type ComparedAudit,
  comparedAttacks,
} from '../../../models/attacks/report/compared-attacks.js';
import { percent } from '../../../platform/percent-text.js';
import { compareAudits } from '../../workflows/audit/audit-comparison.js';
import { contextOf } from '../context.js';

const FIRST_COLUMN = 44;
const COLUMN = 12;

interface Options {
  readonly scores?: string;
  readonly out: string;
}

/** `tacet audit compare`: several audits side by side, and with scores against what they are worth. */
export function auditCompareCommand(): Command {
  return new Command('compare')
    .description('set audits of several models side by side, as a table and a page')
    .argument('<audits...>', 'directories that `tacet audit run` wrote')
    .option(
      '--scores <file>',
      'JSON: for each directory’s name {"label", "series", "f1", "f1Interval": [low, high]}; adds F1 and a figure',
    )
    .requiredOption('--out <dir>', 'where comparison.html goes, and with scores frontier.svg')
    .action(compare);
}

async function compare(
  directories: readonly string[],
  options: Options,
  self: Command,
): Promise<void> {
  const { audits, points, files } = await compareAudits(directories, options);
  const labels = audits.map(({ label }) => label);
  contextOf(self).result({ audits: labels, attacks: comparedAttacks(audits), points }, [
    ...table(audits),
    ...files,
  ]);
}

/** A row for each kind of attack, a column for each audit. */
function table(audits: readonly ComparedAudit[]): string[] {
  const width = Math.max(COLUMN, ...audits.map(({ label }) => label.length + 2));
  const row = (what: string, cells: readonly string[]) =>
    [what.padEnd(FIRST_COLUMN), ...cells.map((cell) => cell.padStart(width))].join('');
  return [
    row(
      '',
      audits.map(({ label }) => label),
    ),
    ...(audits.some(({ f1 }) => f1)
      ? [
          row(
            'F1',
            audits.map(({ f1 }) => (f1 ? percent(f1.value) : '–')),
          ),
        ]
      : []),
    ...comparedAttacks(audits).map(({ what, attacks }) =>
      row(
        what,
        attacks.map((attack) => (attack ? percent(attack.success.value) : '–')),
      ),
    ),
    row(
      'limit of every attack',
      audits.map(({ report }) => percent(report.certified.bound.value)),
    ),
  ];
}
