/**
 * Where in the program a failure came from, without its message, which could hold text of a note. None where it cannot
 * be told where in the stack the message ends: its lines may read like places.
 */
export function failurePlaces(error: unknown): string[] {
  if (!(error instanceof Error) || error.stack === undefined) return [];
  const { stack, message } = error;
  const at = stack.indexOf(message);
  if (at < 0) return [];
  const lines = stack.slice(at + message.length).split('\n');
  return lines.filter((line) => /^\s+at /.test(line)).map((line) => line.trim());
}
