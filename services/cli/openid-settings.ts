import { ROLES, type Role } from '../../pool-store/members/tokens.js';
import { TacetError } from '../../proto/errors.js';
import { OpenIdProvider } from '../http/pages/openid/openid-provider.js';
import { readTokenFile } from './credentials.js';
import type { ServeConfig } from './serve-settings.js';

/** Undefined where no provider is named. Throws `config-invalid` where something about it is missing. */
export async function openIdOf(config: ServeConfig): Promise<OpenIdProvider | undefined> {
  const { openidIssuer: issuer, openidClient: clientId, openidSecret, openidRoles } = config;
  if (issuer === undefined) return undefined;
  if (!URL.canParse(issuer))
    throw invalid('openidIssuer: expected an address such as https://id.example.org');
  if (clientId === undefined || openidSecret === undefined || openidRoles === undefined)
    throw invalid('openidIssuer: give openidClient, openidSecret and openidRoles as well');
  return new OpenIdProvider({
    ...{ issuer, clientId, roles: rolesIn(openidRoles) },
    clientSecret: await readTokenFile(openidSecret),
    roleClaim: config.openidRoleClaim,
    nameClaim: config.openidNameClaim,
  });
}

function rolesIn(text: string): { role: Role; value: string }[] {
  return text.split(',').map((pair) => {
    const [name = '', value = ''] = pair.split('=').map((part) => part.trim());
    const role = ROLES.find((each) => each === name);
    if (role && value !== '') return { role, value };
    throw invalid(`openidRoles: expected ROLE=VALUE with a role of ${ROLES.join(', ')}`);
  });
}

function invalid(message: string): TacetError {
  return new TacetError('config-invalid', message);
}
