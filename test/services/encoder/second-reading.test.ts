import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readPublicKey } from '../../../models/bundle/key-files.js';
import type { Document } from '../../../models/text/document.js';
import { verifyTaggingModel } from '../../../services/institution/bundles/tagging-model.js';
import { findPhi } from '../../../services/institution/deidentify/recognisers/find-phi.js';
import { publishedSite } from '../institution/published-site.js';
import { embeddingsOf, threadOf } from '../institution/publisher.js';

const TEXT = 'alpha beta gamma delta epsilon zeta alpha gamma epsilon beta delta zeta';
const NOTE: Document = { id: 'a', text: TEXT, spans: [], sentences: [0, 6, 17, 36, 56] };

describe('a second reader of an encoder', () => {
  const site = publishedSite();

  test('reads the sentences that a file states, as its pipeline does elsewhere', async () => {
    const { publisher } = site;
    const trustedKeys = [await readPublicKey(publisher.publicKeyFile)];
    const embeddings = await embeddingsOf(publisher);
    const tagger = (
      await verifyTaggingModel(publisher.pipeline, { trustedKeys, embeddings })
    ).load();
    const { sentences } = NOTE;
    const found = (await findPhi(TEXT, tagger, { threshold: 0.5, sentences })).length;
    expect(found).not.toBe((await findPhi(TEXT, tagger, { threshold: 0.5 })).length);
    const models = await threadOf(publisher);
    const report = await models.call('encode', {
      input: [NOTE],
      home: await mkdtemp(join(site.root, 'home-')),
      options: { dryRun: true, labelDocuments: 1 },
      reading: { treatment: 'report', threshold: 0.5 },
    });
    await models.close();
    expect(report.suspects?.byType).toEqual({ PHI: found });
  });
});
