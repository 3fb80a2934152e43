const PLAIN = /^[A-Za-z0-9_@%+=:,./-]+$/;

/** A command line that a shell reads as these words. */
export function commandLine(...words: readonly string[]): string {
  return words.map(quote).join(' ');
}

function quote(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
