import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openIdOf } from '../../../services/cli/openid-settings.js';
import type { ServeConfig } from '../../../services/cli/serve-settings.js';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'tacet-openid-'));
  writeFileSync(join(directory, 'secret'), 'a-secret', { mode: 0o600 });
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const providerOf = (openidRoles: string, openidNameClaim?: string) =>
  openIdOf({
    ...{ openidIssuer: 'https://id.example.org', openidClient: 'tacet', openidRoles },
    ...{ openidSecret: join(directory, 'secret'), openidRoleClaim: 'roles', openidNameClaim },
  } as ServeConfig);

test.each(['institution', 'provider', 'auditor'])(
  'people who log in as %s have no name that they may have chosen',
  async (role) => {
    const roles = `admin=operators,${role}=others`;
    await expect(providerOf(roles)).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringMatching(/^openidNameClaim: /),
    });
    expect(await providerOf(roles, 'hospital')).toMatchObject({
      options: { nameClaim: 'hospital' },
    });
  },
);

test('the name is the preferred one where no role gives anything under it', async () => {
  expect(await providerOf('admin=operators,monitor=watchers')).toMatchObject({
    options: { nameClaim: 'preferred_username' },
  });
});
