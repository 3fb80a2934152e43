import { readFileSync } from 'node:fs';

/** In the order in which later rules win. */
const PARTS = [
  'colours',
  'text',
  'layout',
  'navigation',
  'site',
  'table',
  'notice',
  'form',
  'chart',
  'chart-dark',
  'print',
];

/** The one style of all pages: light and dark, from 360 px on, for screens and paper. */
export const STYLESHEET = PARTS.map((part) =>
  readFileSync(new URL(`./style/${part}.css`, import.meta.url), 'utf8'),
).join('\n');
