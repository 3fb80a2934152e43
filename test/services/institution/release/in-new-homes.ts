import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type { EncodingModel } from '../../../../services/institution/bundles/encoding-model.js';
import { WORDS } from '../notes.js';
import { createPublisher, encodingModelOf, type Publisher, removePublisher } from '../publisher.js';

interface Setting {
  readonly publisher: Publisher;
  /** The publisher's. */
  readonly model: EncodingModel;
  /** Of this test alone. */
  readonly home: string;
  /** Another one. */
  newHome(): string;
}

/** For the tests of a block: one published model, and a home for each test, which `begin` is told before it. */
export function inNewHomes(begin: (setting: Setting) => void): void {
  let publisher: Publisher;
  let model: EncodingModel;
  let homes: string;
  let count = 0;
  const newHome = () => join(homes, `home-${count++}`);
  beforeAll(async () => {
    publisher = await createPublisher(WORDS);
    model = await encodingModelOf(publisher);
    homes = await mkdtemp(join(tmpdir(), 'tacet-homes-'));
  });
  beforeEach(() => begin({ publisher, model, home: newHome(), newHome }));
  afterAll(async () => {
    model.representation.dispose();
    await removePublisher(publisher);
    await rm(homes, { recursive: true });
  });
}
