import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** What is kept for the user (XDG Base Directory Specification: data). */
export function dataFolder(): string {
  return below('XDG_DATA_HOME', '.local', 'share');
}

/** The home of whoever names none. */
export function defaultHome(): string {
  return join(dataFolder(), 'home');
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
