import type { Page } from 'playwright-core';
import { type ServedEncoder, serveEncoder } from '../services/encoder/pages/served-encoder.js';
import { notesOfDistinctLengths } from '../services/institution/notes.js';
import type { Picture } from './pictures.js';

const NOTE =
  'Alpha beta gamma was seen on 12 May 2024.\nWrite to ann@example.org or call +34 600 123 456.';

const deidentify = async (page: Page) => {
  await page.getByLabel('Note', { exact: true }).fill(NOTE);
  await page.getByRole('button', { name: 'De-identify' }).click();
  await page.getByRole('heading', { name: 'De-identified' }).waitFor();
};

const dryRun = async (page: Page) => {
  await page.getByRole('button', { name: 'Dry run' }).click();
  await page.getByRole('heading', { name: 'What leaves' }).waitFor();
};

export async function servedEncoder(): Promise<{ encoder: ServedEncoder; pictures: Picture[] }> {
  const encoder = await serveEncoder({ notes: notesOfDistinctLengths(30) });
  const { url } = encoder;
  const pictures = [
    { name: 'encoder-note', url, act: deidentify },
    { name: 'encoder-share', url: `${url}/share` },
    { name: 'encoder-dry-run', url: `${url}/share`, act: dryRun },
    { name: 'encoder-jobs', url: `${url}/jobs` },
    { name: 'encoder-models', url: `${url}/models` },
  ];
  return { encoder, pictures };
}
