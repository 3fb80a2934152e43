import { hundredths } from '../../platform/percent-text.js';
import type { Compared } from './comparison.js';

/** What a reader looks for first; all other measures are in the JSON. */
const SHOWN =
  /^(?!regions\.(?:header|signature)).*(?:\.(?:binary|micro)|merged)\.(?:recall|f1)$|leaked|WithLeak/;

/** The comparison as lines for people: in per cent, p as it is. */
export function comparisonTable(compared: readonly Compared[], trials: number): string[] {
  return [
    `difference between two systems; p by approximate randomisation over documents, those of one origin together, ${trials} trials`,
    '',
    row('', 'system', 'versus', 'difference', 'p'),
    ...compared
      .filter(({ measure }) => SHOWN.test(measure))
      .map(({ measure, system, versus, difference, p }) =>
        row(measure, ...[system, versus, difference].map(percent), p.toFixed(4)),
      ),
  ];
}

const NAME_WIDTH = 44;
const VALUE_WIDTH = 12;

function row(name: string, ...values: string[]): string {
  return name.padEnd(NAME_WIDTH) + values.map((value) => value.padStart(VALUE_WIDTH)).join('');
}

const percent = (value: number) => hundredths(value, { digits: 2 });
