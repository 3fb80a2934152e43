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
  const roles = rolesIn(openidRoles);
  return new OpenIdProvider({
    ...{ issuer, clientId, roles },
    clientSecret: await readTokenFile(openidSecret),
    roleClaim: config.openidRoleClaim,
    nameClaim: config.openidNameClaim ?? usualNameClaim(roles),
  });
}

/** What their holders give, publish or sign counts as that of their name. */
const TRUSTED_BY_NAME: readonly Role[] = ['institution', 'provider', 'auditor'];

/**
 * People may choose their `preferred_username`, also another's, so that nobody may rely on it.
 *
 * Source: https://openid.net/specs/openid-connect-core-1_0.html#ClaimStability
 */
function usualNameClaim(roles: readonly { readonly role: Role }[]): string {
  const trusted = roles.find(({ role }) => TRUSTED_BY_NAME.includes(role));
  if (!trusted) return 'preferred_username';
  throw invalid(
    `openidNameClaim: name the claim that holds the name of a holder of role ${trusted.role}, one that the provider's ` +
      'administrators set and people cannot choose themselves',
  );
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
