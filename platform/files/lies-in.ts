import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';

/** Whether `path` is `folder` or lies in it, or would once it is made; links are followed. */
export function liesIn(folder: string, path: string): boolean {
  const between = relative(placeOf(folder), placeOf(path));
  return between !== '..' && !between.startsWith(`..${sep}`) && resolve(between) !== between;
}

/** Where it is, or would be, once links are followed. */
function placeOf(path: string): string {
  const whole = resolve(path);
  if (existsSync(whole) || dirname(whole) === whole) return realpathSync(whole);
  return join(placeOf(dirname(whole)), basename(whole));
}
