import type { Facts, Manifest, NoiseLevel } from '../../models/bundle/manifest.js';
import { firstScore, scoreText, scoreTexts } from '../../models/bundle/stated-scores.js';
import { trainedOn } from '../../models/bundle/trained-on.js';
import { scoresNote, USES } from '../../models/bundle/uses.js';

const LABEL_LINE = 88;
const NOT_STATED = 'not stated by its publisher';

/** A manifest in words, for a person who decides whether to use the model. */
export function describeManifest(manifest: Manifest): string[] {
  const { name, version, kind, created, labelScheme, embeddings, noise, architecture } = manifest;
  const { representation, deidentifier } = architecture;
  const types = [
    ...new Set(labelScheme.labels.filter((label) => label !== 'O').map((label) => label.slice(2))),
  ];
  return [
    `${name} ${version}`,
    `A ${kind}: ${USES[kind].does}. Made on ${created.slice(0, 10)}.`,
    '',
    'In short',
    ...shortRows(manifest),
    '',
    'What it is for',
    row('', USES[kind].intended),
    'What it is not for',
    ...USES[kind].notFor.map((other) => row('', other)),
    '',
    'What it reads',
    row('tokens', manifest.tokenisation),
    row('embeddings', `${embeddings.name}, ${embeddings.dimension} dimensions`),
    row('', `SHA-256 ${embeddings.identity}`),
    row('labels', `${labelScheme.name} ${labelScheme.version}, ${types.length} types of PHI`),
    ...wrapWords(types).map((line) => row('', line)),
    ...mapRows(labelScheme.map ?? {}),
    '',
    'What it is made of',
    ...(representation
      ? [
          row(
            'vectors',
            `${representation.dimension} dimensions a token, from a BiLSTM of ` +
              `${representation.units} units a direction`,
          ),
        ]
      : [row('vectors', 'none of its own: it reads the words themselves')]),
    ...(deidentifier
      ? [row('tagger', `${deidentifier.layers} BiLSTM layers of ${deidentifier.units} and a CRF`)]
      : []),
    ...(noise
      ? [
          row('noise in', levelText(noise.inputStddev)),
          row('noise out', levelText(noise.outputStddev)),
        ]
      : []),
    '',
    'How it was trained',
    ...factRows(manifest.training),
    '',
    'What its publisher measured',
    ...factRows(scoreTexts(manifest.scores)),
    row('', scoresNote(manifest.training)),
    '',
    'Files',
    ...Object.entries(manifest.files).map(([file, digest]) => row(file, digest)),
  ];
}

/** What becomes of other corpora's types; what counts as no PHI is what a reader must know. */
function mapRows(map: Readonly<Record<string, string | null>>): string[] {
  const types = Object.keys(map);
  const dropped = types.filter((type) => map[type] === null);
  return [
    ...(types.length > 0 ? [row('', `maps ${types.length - dropped.length} types to these`)] : []),
    ...wrapWords(dropped).map((line, at) => row('', `${at === 0 ? 'not PHI: ' : ''}${line}`)),
  ];
}

/** What who decides asks first; the same in every manifest, said to be missing where it is. */
function shortRows({ scores, training }: Manifest): string[] {
  const score = (kind: string) => {
    const stated = firstScore(scores, kind);
    return stated ? `${scoreText(stated)} (${stated.name})` : NOT_STATED;
  };
  return [
    row('F1', score('F1')),
    row('recall', score('recall')),
    row('language', String(training.language ?? NOT_STATED)),
    row('trained on', trainedOn(training) ?? NOT_STATED),
  ];
}

function row(name: string, value: string): string {
  return `  ${name.padEnd(20)}  ${value}`;
}

function factRows(facts: Facts): string[] {
  const width = Math.max(0, ...Object.keys(facts).map(({ length }) => length));
  const rows = Object.entries(facts).map(([name, value]) => row(name.padEnd(width), String(value)));
  return rows.length > 0 ? rows : [row('', 'nothing stated')];
}

function levelText({ mean, min, max }: NoiseLevel): string {
  const [middle, least, most] = [mean, min, max].map((value) => value.toPrecision(3));
  return `standard deviation ${middle} on average, ${least} to ${most} by dimension`;
}

function wrapWords(words: readonly string[]): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length + 2 <= LABEL_LINE)
      lines[lines.length - 1] = `${last}, ${word}`;
    else lines.push(word);
  }
  return lines;
}
