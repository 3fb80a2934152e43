/** `[start, end)` in UTF-16 offsets of a document's text. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Where a note's free text stands: what comes before is its header, what comes behind its signature.
 *
 * The rule knows forms, not hospitals. A line is prose where, between colons, bars, tabs and wide
 * gaps, it runs on for twelve words. The header ends at the first line that is prose, opens a letter or
 * carries the heading of a clinical narrative. The signature starts at a line that says who signs,
 * if nothing but signing and form-like lines follow it; or else it is a last paragraph of a few
 * form-like lines. A text without prose is all header. Wordings: English, Spanish, German, French.
 */
export function freeTextOf(text: string): TextRange {
  const lines = linesOf(text);
  const first = lines.findIndex((line) => isProse(line) || OPENING.test(line.text));
  if (first < 0) return { start: text.length, end: text.length };
  const start = (lines[first] as Line).start;
  const signature = signatureOf(lines.slice(first + 1));
  return { start, end: signature?.start ?? text.length };
}

interface Line extends TextRange {
  readonly text: string;
}

function linesOf(text: string): Line[] {
  return Array.from(text.matchAll(/[^\r\n]+|\r\n?|\n/g), ({ 0: found, index }) => ({
    text: found.trim(),
    start: index,
    end: index + found.length,
  })).filter((line, at, all) => line.text !== '' || (at > 0 && all[at - 1]?.text === ''));
}

const PROSE_WORDS = 12;
const FIELD_EDGE = /[:|\t]| {2,}/;

function isProse({ text }: Line): boolean {
  return text
    .split(FIELD_EDGE)
    .some((field) => (field.match(/\p{L}[\p{L}\p{M}]*/gu)?.length ?? 0) >= PROSE_WORDS);
}

/** Salutations, and headings behind which the story of the patient is told. */
const OPENING = new RegExp(
  `^(?:(?:dear|estimad[oa]|sehr geehrte[rs]?|liebe[rs]?|chère?|monsieur|madame)\\P{L}|[\\d.)# -]*(?:${[
    'history|hpi|focus|pc.hpc|presenting|presentation|chief complaint|reason for|indication|impression|findings',
    'assessment|evaluation|narrative|hospital course|course|past medical|social|sochx|interval',
    'informe|historia|motivo|antecedentes|anamnesis|caso|episodio del|parte|exploración|evolución',
    'anamnese|befund|verlauf|vorgeschichte|aktuelle|beurteilung|epikrise',
    'motif|histoire|antécédents|compte rendu|examen|évolution|conclusion',
  ].join('|')})[^:.]{0,40}(?::|\\.? ?[-–] |\\.?$))`,
  'iu',
);

const MOST_SIGNATURE_LINES = 15;
const MOST_PARAGRAPH_LINES = 6;

const SIGNING = new RegExp(
  `^\\W*(?:${[
    'sincerely|yours|(?:with )?(?:kind|best|warm) regards|(?:electronically |e-?)?(?:signed|authenticated)',
    'dictated|transcribed|typed|attending:|cc:|_{5,}',
    'remitido|r?e?sponsable (?:clínico|clinico|médico)|emitido|firmado|fdo|atentamente',
    'dirección para|correspondencia',
    'mit freundlichen|hochachtungsvoll|gez\\b|unterzeichnet|elektronisch',
    'cordialement|signé|rédigé|adressé par|médecin (?:responsable|traitant)|veuillez agréer',
  ].join('|')})`,
  'iu',
);

function signatureOf(lines: readonly Line[]): Line | undefined {
  const last = lines.filter(({ text }) => text !== '').slice(-MOST_SIGNATURE_LINES);
  const prose = last.findLastIndex((line) => isProse(line) && !SIGNING.test(line.text));
  const signing = last.slice(prose + 1).find(({ text }) => SIGNING.test(text));
  const until = signing === undefined ? lines.length : lines.indexOf(signing) + 1;
  return closingParagraph(lines.slice(0, until)) ?? signing;
}

/** The start of the paragraph that ends with the last of the lines, if it is short and form-like. */
function closingParagraph(lines: readonly Line[]): Line | undefined {
  const end = lines.findLastIndex(({ text }) => text !== '') + 1;
  const blank = lines.slice(0, end).findLastIndex(({ text }) => text === '');
  const paragraph = lines.slice(blank + 1, end);
  const formLike = !paragraph.some((line) => isProse(line) || OPENING.test(line.text));
  const short = paragraph.length <= MOST_PARAGRAPH_LINES;
  return blank >= 0 && formLike && short ? paragraph[0] : undefined;
}
