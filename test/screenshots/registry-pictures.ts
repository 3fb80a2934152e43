import type { FurnishedRegistry } from '../services/registry/pages/furnished-registry.js';
import type { Picture } from './pictures.js';

/** What a security officer looks at before she allows a model. */
export function registryPictures({ url, audits }: FurnishedRegistry): Picture[] {
  const at = (name: string, path: string): Picture => ({
    name: `registry-${name}`,
    url: url + path,
  });
  const model = '/models/letters/2.0.0';
  return [
    at('models', '/models'),
    at('model', model),
    at('audits-of-model', `${model}/audits`),
    at('audit', `${model}/audits/${audits.at(-1)}`),
    at('comparison', '/models/letters/compare/1.1.0/2.0.0'),
    at('audits', '/audits'),
    at('deprecation', `${model}/deprecate`),
    at('revocation', `${model}/revoke`),
    at('alias', `${model}/alias`),
    at('login', '/login'),
  ];
}
