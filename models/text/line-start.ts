import type { Token } from './token.js';

/** A label before a colon is at most this long, in tokens ("Fecha de ingreso en el hospital:"). */
const MAX_LABEL_TOKENS = 8;
const BULLETS: ReadonlySet<string> = new Set([...'-–—*+•·●▪■○◦‣►✓>']);

/** Whether the token at `index` starts a list item ("-", "•", "1.", "a)"). */
export function startsListItem(tokens: readonly Token[], index: number): boolean {
  const marker = tokens[index];
  const next = tokens[index + 1];
  if (marker === undefined || next === undefined) return false;
  if (BULLETS.has(marker.text)) return !/^\p{Nd}/u.test(next.text) || next.start > marker.end;
  return isListNumber(tokens, index);
}

/** Whether "1." or "a)" stands at `index`, followed by white space. */
export function isListNumber(tokens: readonly Token[], index: number): boolean {
  const [number, mark, next] = [tokens[index], tokens[index + 1], tokens[index + 2]];
  if (number === undefined || mark === undefined || next === undefined) return false;
  if (mark.start > number.end || next.start === mark.end) return false;
  if (/^\p{Nd}{1,3}$/u.test(number.text)) return mark.text === '.' || mark.text === ')';
  return /^\p{L}$/u.test(number.text) && mark.text === ')';
}

/** Whether a form label starts at `index` ("Nombre:", "Localidad/ Provincia:", "Record date:"). */
export function startsFormField(tokens: readonly Token[], index: number): boolean {
  const first = tokens[index];
  if (first === undefined || !/^[\p{Lu}\p{Lt}]/u.test(first.text)) return false;
  const end = Math.min(tokens.length, index + MAX_LABEL_TOKENS + 1);
  for (let at = index + 1; at < end; at++) {
    const { text } = tokens[at] as Token;
    if (text === ':') return true;
    if (!/^[\p{L}/()'’º°&#-]/u.test(text)) return false;
  }
  return false;
}
