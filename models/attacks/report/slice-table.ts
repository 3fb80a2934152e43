import { percent } from '../../../platform/percent-text.js';
import { type Html, html } from '../../charts/html.js';
import type { Slice } from '../attack.js';
import { interval, wideTable } from './report-page.js';

/** What `name` came to in parts of its tries. */
export function sliceTable(name: string, own: readonly Slice[], heading: string): Html {
  return wideTable(
    `${name}, by what it was tried on`,
    'slices',
    html`<tr><th>by<th>of<th class="number">trials<th class="number">${heading}</tr>
${own.map(
  ({ by, value, trials, success }) =>
    html`<tr><td>${by}<td>${value}<td class="number">${trials}<td class="number">${percent(success.value)}${interval(success.interval)}</tr>
`,
)}`,
  );
}
