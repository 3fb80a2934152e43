import { percent } from '../../../platform/percent-text.js';
import { type Html, html } from '../../charts/html.js';
import { pageHead } from '../../charts/page-head.js';

const STYLE = `
:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 0 auto; padding: 1rem 1.25rem 4rem;
  color: #1d2126; background: #fff; overflow-wrap: break-word; }
h1 { font-size: 1.5rem; margin-bottom: .25rem; } h2 { font-size: 1.15rem; margin: 2.2rem 0 .4rem; }
.facts { color: #56606a; font-size: .85rem; overflow-wrap: anywhere; }
.about { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; font-size: .9rem; }
.about dt { color: #56606a; } .about dd { margin: 0; overflow-wrap: anywhere; }
.about .id { color: #56606a; font-size: .75rem; }
.verdict { border-left: 6px solid #a4262c; background: #fdf3f4; padding: 1rem 1.25rem; margin: 1.2rem 0; }
.verdict p { margin: 0; font-size: 1.1rem; } .verdict ul { margin: .6rem 0 0; padding-left: 1.2rem; }
.verdict.quiet { border-color: #00704a; background: #f1faf6; }
table { border-collapse: collapse; width: 100%; font-size: .85rem; } .wide { overflow-x: auto; }
th, td { text-align: left; padding: .4rem .6rem; border-bottom: 1px solid #dfe3e7; vertical-align: top; }
th { font-weight: 600; color: #3b434b; } td.number, th.number { text-align: right; }
td.number { white-space: nowrap; font-variant-numeric: tabular-nums; }
td .what { color: #56606a; } .attacks td:first-child { min-width: 15rem; } .interval { color: #56606a; font-size: .75rem; display: block; }
p .interval { display: inline; white-space: nowrap; } .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
svg { font: 11px system-ui, sans-serif; fill: #3b434b; } svg.bar { width: 8rem; height: 1.2rem; }
.none { color: #00704a; } details { margin: .4rem 0; } summary { cursor: pointer; font-weight: 600; }
.slices td { padding: .15rem .6rem; } .slices .interval { display: inline; margin-left: .5rem; }
.grid { stroke: #e3e7ea; } figure { margin: 0; } figure > svg { max-width: 100%; } figcaption { font-weight: 600; font-size: .85rem; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(26rem, 100%), 1fr)); gap: 1.5rem; }
.legend { list-style: none; padding: 0; margin: .25rem 0; font-size: .75rem; display: flex; flex-wrap: wrap;
  gap: .1rem .9rem; } .key { width: 1.6rem; height: .5rem; }
@media (max-width: 40rem) {
  body { padding: .5rem 1rem 3rem; } .about { grid-template-columns: 1fr; gap: 0; } .about dd { margin-bottom: .4rem; }
  .attacks, .attacks tbody, .attacks tr { display: block; } .attacks tr:has(th) { display: none; }
  .attacks tr { border-bottom: 1px solid #dfe3e7; padding: .5rem 0; display: flex; flex-wrap: wrap; gap: .2rem 1rem; align-items: start; }
  .attacks td { border: 0; padding: 0; } .attacks td:first-child { flex-basis: 100%; min-width: 0; }
  .attacks td:has(svg) { order: 1; flex-basis: 100%; } .attacks svg.bar { width: 100%; max-width: 20rem; }
  .attacks td.number { text-align: left; } .attacks td[data-name]::before { content: attr(data-name); display: block; color: #56606a; font-size: .75rem; }
}
@media print { figure, tr { break-inside: avoid; } }
`;

/** One self-contained page under a title. */
export function reportPage(title: string, body: Html): string {
  return html`${pageHead(title, STYLE)}
<main>
<h1>${title}</h1>
${body}
</main>
</html>
`.markup;
}

/** A table that scrolls by itself where it is wider than the page, also by keyboard. */
export function wideTable(name: string, kind: '' | 'attacks' | 'slices', rows: Html): Html {
  return html`<div class="wide" role="region" aria-label="${name}" tabindex="0"><table class="${kind}">
${rows}</table></div>`;
}

/** `2.5 % – 4.1 %`, smaller than what it belongs to. */
export function interval([low, high]: readonly [number, number]): Html {
  return html`<span class="interval">${percent(low)} – ${percent(high)}</span>`;
}
