import type { AgreementScores } from './agreement.js';
import type { Evaluation, Interval } from './evaluate.js';
import type { MeanScore } from './score.js';

/** The evaluation as lines for people: ratios in per cent. */
export function evaluationTable(evaluation: Evaluation): string[] {
  const { documents, tokens, token, i2b2Token, entity, intervals } = evaluation;
  return [
    `${documents} documents, ${tokens} tokens`,
    '',
    row('', 'precision', 'recall', 'F1'),
    scoreRow('token, binary', token.binary),
    row(
      '  95 % interval',
      ...[intervals.precision, intervals.recall, intervals.f1].map(formatInterval),
    ),
    ...typedRows('token', token),
    scoreRow('i2b2 token, binary', i2b2Token.binary),
    scoreRow('i2b2 token, micro', i2b2Token.micro),
    scoreRow('entity strict, binary', entity.strict.binary),
    ...typedRows('entity strict', entity.strict),
    '',
    leakLine(evaluation),
  ];
}

function typedRows(name: string, { perType, micro, macro }: AgreementScores): string[] {
  return [
    scoreRow(`${name}, micro`, micro),
    scoreRow(`${name}, macro`, macro),
    ...Object.entries(perType).map(([type, score]) => scoreRow(`  ${type}`, score)),
  ];
}

function scoreRow(name: string, { precision, recall, f1 }: MeanScore): string {
  return row(name, ...[precision, recall, f1].map(percent));
}

const NAME_WIDTH = 40;
const VALUE_WIDTH = 14;

function row(name: string, ...values: string[]): string {
  return (
    name.padEnd(NAME_WIDTH) + values.map((value) => value.padStart(VALUE_WIDTH)).join('')
  ).trimEnd();
}

function leakLine({ phiCharacters, leakedCharacters, documentsWithLeak, documents }: Evaluation) {
  const share = phiCharacters === 0 ? 0 : leakedCharacters / phiCharacters;
  return `leaked: ${leakedCharacters} of ${phiCharacters} characters of PHI (${percent(share)} %), in ${documentsWithLeak} of ${documents} documents`;
}

const percent = (value: number) => (value * 100).toFixed(2);

const formatInterval = ([low, high]: Interval) => `${percent(low)}-${percent(high)}`;
