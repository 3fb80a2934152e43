import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { readPublicKey } from '../../../../../models/bundle/key-files.js';
import { createLabelScheme } from '../../../../../models/text/label-scheme.js';
import {
  encodingLimits,
  type Policy,
} from '../../../../../services/institution/approval/policy.js';
import type { Check } from '../../../../../services/institution/approval/preflight/checklist.js';
import { preflight } from '../../../../../services/institution/approval/preflight/preflight.js';
import type { PreflightOptions } from '../../../../../services/institution/approval/preflight/preflight-options.js';
import { openEncodingModel } from '../../../../../services/institution/bundles/encoding-model.js';
import { encode } from '../../../../../services/institution/release/encode.js';
import type { EncodeOptions } from '../../../../../services/institution/release/job/encode-options.js';
import { WORDS } from '../../notes.js';
import {
  cacheOf,
  createPublisher,
  embeddingsOf,
  type Publisher,
  removePublisher,
} from '../../publisher.js';

/** None of its types is called as that of `phi-binary`. */
const SCHEME = createLabelScheme({
  name: 'names',
  version: '1',
  types: ['NAME', 'ORG'],
  map: { PHI: 'NAME' },
  describes: ['ORG'],
});
const NOTE = { id: 'a', text: 'alpha beta.', spans: [{ type: 'PHI', start: 0, end: 5 }] };
const ORG = { ...NOTE, text: 'gamma beta.', spans: [{ type: 'ORG', start: 0, end: 5 }] };

describe('preflight refuses, and lets pass, what encoding does', () => {
  const before = { ...process.env };
  let publisher: Publisher;
  let home: string;
  beforeAll(async () => {
    publisher = await createPublisher(WORDS, SCHEME);
    process.env.TACET_CACHE = cacheOf(publisher.root);
  });
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'tacet-preflight-'));
  });
  afterAll(async () => {
    process.env = { ...before };
    await removePublisher(publisher);
  });

  const trusted = async () => ({ trustedKeys: [await readPublicKey(publisher.publicKeyFile)] });
  const policyOf = async (more: Partial<Policy>): Promise<Policy> => ({
    publisherKeys: (await trusted()).trustedKeys,
    ...{ neighbours: 3, maxReleases: 1, minDocuments: 1, labelDocuments: 1 },
    ...more,
  });
  /** Codes of what failed. */
  const refusals = async (options: Partial<PreflightOptions>) => {
    const checks = await preflight({
      model: publisher.representation,
      trust: await trusted(),
      embeddings: publisher.embeddingsFile,
      audits: [],
      mayMakeHome: true,
      home,
      ...options,
    });
    return checks.flatMap(({ passed, name, finding }: Check) =>
      passed === false ? [`${name}: ${finding.split(':')[0]}`] : [],
    );
  };
  const encoded = async (policy: Policy, how: EncodeOptions = {}, note = NOTE) => {
    const model = await openEncodingModel(publisher.representation, {
      ...(await trusted()),
      embeddings: await embeddingsOf(publisher),
      scheme: policy.labelScheme,
    });
    try {
      return await encode([note], model, home, { ...encodingLimits(policy, how), ...how });
    } finally {
      model.representation.dispose();
    }
  };

  describe('where entities of a type are to be kept', () => {
    const KEPT = { keptTypes: ['ORG'] };

    test('in a home that replaced them', async () => {
      const policy = await policyOf({ ...KEPT, certifiedLimit: 1 });
      await encoded(policy);
      await expect(encoded(policy, KEPT, ORG)).rejects.toMatchObject({ code: 'treatment-other' });
      expect(await refusals({ policy, ...KEPT })).toEqual(['ledger: treatment-other']);
      expect(await refusals({ policy })).toEqual([]);
    });

    test('under a limit laxer than that of the home', async () => {
      const twins = { limit: 0.9, neighbours: 3, twins: 4 };
      const strict = await policyOf({ ...KEPT, certifiedLimit: 0.9 });
      await encoded(strict, { ...KEPT, certification: twins });
      const lax = await policyOf({ ...KEPT, certifiedLimit: 1 });
      await expect(encoded(lax, KEPT, ORG)).rejects.toMatchObject({ code: 'bounds-laxer' });
      expect(await refusals({ policy: lax, ...KEPT })).toEqual(['ledger: bounds-laxer']);
      expect(await refusals({ policy: strict, ...KEPT })).toEqual([]);
    });
  });

  test('by the label scheme that the policy names: of kept types', async () => {
    const policy = await policyOf({
      ...{ keptTypes: ['ORG'], certifiedLimit: 1, labelScheme: 'phi-binary' },
    });
    const keptTypes = ['ORG'];
    await expect(encoded(policy, { keptTypes })).rejects.toMatchObject({ code: 'label-unknown' });
    expect(await refusals({ policy, keptTypes })).toEqual(['kept types: label-unknown']);
  });

  test('by the label scheme that the policy names: of the inventory', async () => {
    const policy = await policyOf({ labelScheme: 'phi-binary' });
    const { inventory } = await encoded(policy);
    const pinned = { ...policy, inventory: inventory as string };
    expect(await encoded(pinned)).toMatchObject({ inventory });
    expect(await refusals({ policy: pinned })).toEqual([]);
  });
});
