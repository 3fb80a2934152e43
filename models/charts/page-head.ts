import { createHash } from 'node:crypto';
import { Html, html } from './html.js';

/** The head of a self-contained page: it may load and run nothing at all, and use `style` alone. */
export function pageHead(title: string, style: string): Html {
  const digest = createHash('sha256').update(style).digest('base64');
  const policy = `default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'sha256-${digest}'`;
  return html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${new Html(style)}</style>`;
}
