/** The text with its first letter in upper case. */
export function capitalise(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
