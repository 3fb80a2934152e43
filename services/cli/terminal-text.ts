/**
 * Controls, which a terminal obeys, but for tabs and ends of lines; and marks that have what follows them shown in
 * another direction or on another line.
 */
const OBEYED = /[^\P{Cc}\t\n]|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/**
 * A text for a terminal. What it names, such as files and what a server answered, may hold escape sequences, which
 * would rewrite what stands there already; each of their characters is shown as `\u{1b}` instead.
 */
export function terminalText(text: string): string {
  return text.replace(OBEYED, (character) => `\\u{${hexOf(character)}}`);
}

/** The same on one line. */
export function terminalLine(text: string): string {
  return terminalText(text).replaceAll('\n', '\\u{a}');
}

/** JSON with the same characters as escapes of JSON, so that it means what it meant. */
export function terminalJson(value: unknown): string {
  return JSON.stringify(value).replace(
    OBEYED,
    (character) => `\\u${hexOf(character).padStart(4, '0')}`,
  );
}

function hexOf(character: string): string {
  return character.charCodeAt(0).toString(16);
}
