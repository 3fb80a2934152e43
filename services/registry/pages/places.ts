/** Where the pages of the registry are. */

interface Version {
  readonly name: string;
  readonly version: string;
}

/** The paths of pages and forms, with parameters in braces. */
export const PLACES = {
  models: '/models',
  model: '/models/{name}/{version}',
  modelAudits: '/models/{name}/{version}/audits',
  audit: '/models/{name}/{version}/audits/{id}',
  comparison: '/models/{name}/compare/{a}/{b}',
  deprecation: '/models/{name}/{version}/deprecate',
  revocation: '/models/{name}/{version}/revoke',
  alias: '/models/{name}/{version}/alias',
  audits: '/audits',
} as const;

/** Of one published version. */
export function modelHref({ name, version }: Version): string {
  return `${PLACES.models}/${encodeURIComponent(name)}/${encodeURIComponent(version)}`;
}

export function auditsHref(model: Version): string {
  return `${modelHref(model)}/audits`;
}

export function auditHref(model: Version, id: string): string {
  return `${auditsHref(model)}/${encodeURIComponent(id)}`;
}

/** What changed from one version to another of the same name. */
export function comparisonHref(name: string, from: string, to: string): string {
  const [model, a, b] = [name, from, to].map(encodeURIComponent);
  return `${PLACES.models}/${model}/compare/${a}/${b}`;
}
