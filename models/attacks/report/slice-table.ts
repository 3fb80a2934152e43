import { percent } from '../../../platform/percent-text.js';
import { type Html, html } from '../../charts/html.js';
import type { Slice } from '../attack.js';
import { interval, wideTable } from './report-page.js';

/** What `name` came to in parts of its tries, beside guessing where that differs from part to part. */
export function sliceTable(name: string, own: readonly Slice[], heading: string): Html {
  const guesses = own.some(({ chance }) => chance !== undefined);
  return wideTable(
    `${name}, by what it was tried on`,
    'slices',
    html`<tr><th>by<th>of<th class="number">trials<th class="number">${heading}${guesses ? html`<th class="number">by guessing` : ''}</tr>
${own.map(
  ({ by, value, trials, success, chance }) =>
    html`<tr><td>${by}<td>${value}<td class="number">${trials}<td class="number">${percent(success.value)}${interval(success.interval)}${guesses ? html`<td class="number">${chance === undefined ? '' : percent(chance)}` : ''}</tr>
`,
)}`,
  );
}
