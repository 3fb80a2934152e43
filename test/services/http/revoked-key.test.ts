import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Contribution } from '../../../pool-store/contributions/contribution-records.js';
import type { Identity } from '../../../pool-store/members/identities.js';
import type { Role } from '../../../pool-store/members/tokens.js';
import { keyIdOf } from '../../../proto/dsse.js';
import { rawPublicKey } from '../../../proto/ed25519-key.js';
import { PATHS, pathTo } from '../../../proto/paths.js';
import { servedWorld } from '../served-world.js';
import { contributionOf, segmentOf, sha256 } from '../world.js';

const site = servedWorld();
const { as } = site;
let keyId: string;
const coded = (code: string) => expect.objectContaining({ code });

beforeAll(() => {
  keyId = keyIdOf(site.world.keys.institution);
});

const revoke = (role: Role) =>
  as(role).json<Identity>('DELETE', pathTo(PATHS.identity, { id: keyId }));

async function contribute(seed: number): Promise<Contribution> {
  const segment = segmentOf(3, seed);
  await as('institution').upload(segment, { digest: sha256(segment), kind: 'segment' });
  const envelope = contributionOf([segment], site.world.keys.institution);
  return as('institution').json('POST', PATHS.contributions, envelope);
}

describe('a key that an administrator revokes', () => {
  test('signs nothing more, what it signed before stays, and it never comes back', async () => {
    const { id } = await contribute(1);
    await expect(revoke('institution')).rejects.toEqual(coded('forbidden'));
    const revoked = await revoke('admin');
    expect(revoked).toMatchObject({ keyId, name: 'institution', revoked: expect.any(String) });
    await expect(contribute(2)).rejects.toEqual(coded('key-untrusted'));
    const kept = pathTo(PATHS.contribution, { id });
    expect(await as('institution').json('GET', kept)).toMatchObject({ keyId, withdrawn: null });
    expect(await revoke('admin')).toEqual(revoked);
    const listed = await as('auditor').json<Identity[]>('GET', PATHS.identities);
    expect(listed.find((each) => each.keyId === keyId)).toEqual(revoked);
    const approval = as('admin').json('POST', pathTo(PATHS.identityApproval, { id: keyId }));
    await expect(approval).rejects.toEqual(coded('conflict'));
    const publicKey = Buffer.from(rawPublicKey(site.world.keys.institution)).toString('base64');
    for (const role of ['institution', 'admin'] as const) {
      const asked = { name: 'institution', publicKey };
      await expect(as(role).json('POST', PATHS.identities, asked)).rejects.toEqual(
        coded('conflict'),
      );
    }
    const actions = (await site.servers.store.log.entries(0)).filter(
      ({ subject }) => subject === keyId,
    );
    expect(actions.map(({ action }) => action)).toEqual([
      'identity-requested',
      'identity-approved',
      'identity-revoked',
    ]);
  });
});
