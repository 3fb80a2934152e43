import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { WORDS } from './notes.js';
import { cacheOf, createPublisher, type Publisher, removePublisher } from './publisher.js';

/** What the tests of a block find there; filled in before the first of them. */
export interface PublishedSite {
  publisher: Publisher;
  /** An empty folder. */
  root: string;
  /** A path in it. */
  at(name: string): string;
}

/**
 * A publisher and a folder for the tests of the block around the call, whose converted word vectors
 * commands find. Afterwards both are gone, and the environment is what it was.
 */
export function publishedSite(words: readonly string[] = WORDS): PublishedSite {
  const before = { ...process.env };
  const site = {
    publisher: undefined as unknown as Publisher,
    root: '',
    at: (name: string) => join(site.root, name),
  };
  beforeAll(async () => {
    site.publisher = await createPublisher(words);
    site.root = await mkdtemp(join(tmpdir(), 'tacet-site-'));
    process.env.TACET_CACHE = cacheOf(site.publisher.root);
  });
  afterAll(async () => {
    process.env = { ...before };
    await removePublisher(site.publisher);
    await rm(site.root, { recursive: true });
  });
  return site;
}
