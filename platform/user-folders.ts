import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** The home of whoever names none: below the user's data (XDG Base Directory Specification). */
export function defaultHome(): string {
  return join(below('XDG_DATA_HOME', '.local', 'share'), 'home');
}

/** Where a machine keeps what must not be copied along with a home (the same specification: state). */
export function stateFolder(): string {
  return below('XDG_STATE_HOME', '.local', 'state');
}

function below(variable: string, ...instead: readonly string[]): string {
  const named = process.env[variable];
  // A relative path is invalid there, says the specification.
  const folder = named && isAbsolute(named) ? named : join(homedir(), ...instead);
  return join(folder, 'tacet');
}
