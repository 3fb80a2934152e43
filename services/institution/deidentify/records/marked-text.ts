import { INLINE_HTML } from './html-elements.js';
import type { RecordContext } from './record-context.js';
import { textOf, textPiece, type XmlPiece } from './xml-pieces.js';

/** Elements of CDA within a line, beside those of HTML. */
const INLINE_CDA: ReadonlySet<string> = new Set([
  ...['content', 'linkHtml', 'footnote', 'footnoteRef', 'renderMultiMedia'],
]);

/**
 * The pieces of a run of a patient's markup with the PHI of its text replaced. The text is read as one, so that a
 * name in several elements is found; what stands for it is put where it begins. Pieces without PHI are
 * returned as they are.
 */
export async function withoutPhi(
  pieces: readonly XmlPiece[],
  context: RecordContext,
  patient: string,
): Promise<XmlPiece[]> {
  const starts: number[] = [];
  // Not one string that grows: to look at its end, all of it would be copied, piece by piece.
  const parts: string[] = [];
  let length = 0;
  for (const piece of pieces) {
    starts.push(length);
    const isBreak = endsLine(piece) && !parts.at(-1)?.endsWith('\n');
    const part = piece.kind === 'text' ? textOf(piece) : isBreak ? '\n' : '';
    if (part !== '') parts.push(part);
    length += part.length;
  }
  const text = parts.join('');
  const edits = await context.edits(text, patient);
  let next = 0;
  return pieces.map((piece, index) => {
    if (piece.kind !== 'text') return piece;
    const own = textOf(piece);
    const start = starts[index] as number;
    const end = start + own.length;
    let kept = '';
    let from = start;
    let changed = false;
    for (; next < edits.length; next++) {
      const edit = edits[next] as (typeof edits)[number];
      if (edit.start >= end) break;
      changed = true;
      kept += text.slice(from, Math.max(from, edit.start));
      if (edit.start >= start) kept += edit.text;
      from = Math.max(start, Math.min(end, edit.end));
      if (edit.end > end) break;
    }
    return changed ? textPiece(kept + text.slice(from, end)) : piece;
  });
}

/** Names of HTML are the same in capitals, those of CDA are not. */
function endsLine({ kind, source }: XmlPiece): boolean {
  if (kind !== 'open' && kind !== 'close' && kind !== 'empty') return false;
  const name = /^<\/?(?:\w+:)?([^\s/>]+)/.exec(source)?.[1] ?? '';
  return !INLINE_CDA.has(name) && !INLINE_HTML.has(name.toLowerCase());
}
