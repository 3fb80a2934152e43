import { documentsOf } from './yaml.js';

interface Rules {
  readonly groups: readonly {
    readonly rules: readonly { readonly alert: string; readonly expr: string }[];
  }[];
}

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets: readonly { readonly expr: string }[];
  }[];
  readonly templating: { readonly list: readonly { readonly query: unknown }[] };
}

export interface Expression {
  /** The alert, or the panel. */
  readonly of: string;
  readonly text: string;
}

export const ALERTS: readonly Expression[] = documentsOf<Rules>('prometheus/alerts.yaml')
  .flatMap(({ groups }) => groups)
  .flatMap(({ rules }) => rules)
  .map(({ alert, expr }) => ({ of: alert, text: expr }));

/** With the variables of the dashboard as Grafana fills them in for all. */
export const PANELS: readonly Expression[] = documentsOf<Dashboard>('grafana/dashboard.json')
  .flatMap(({ panels }) => panels)
  .flatMap(({ title, targets }) => targets.map(({ expr }) => ({ of: title, text: expr })))
  .map(({ of, text }) => ({
    of,
    text: text
      .replaceAll('$job', '.+')
      .replaceAll('$service', '.*')
      .replaceAll('$__rate_interval', '1m'),
  }));

const WORDS_OF_PROMQL = new Set(['and', 'or', 'unless', 'on', 'ignoring', 'offset', 'bool']);

/** Names of the metrics in a PromQL expression. */
export function metricsIn({ text }: Expression): string[] {
  const bare = text
    .replace(/\{[^}]*\}/g, '')
    .replace(/\b(by|without)\s*\([^)]*\)/g, '')
    .replace(/\[[^\]]*\]/g, '');
  return [...bare.matchAll(/\b[a-z_]\w*\b(?!\s*\()/g)]
    .map(([name]) => name)
    .filter((name) => !WORDS_OF_PROMQL.has(name));
}

/** Of each label that an expression selects by, the values that it names. */
export function selectedIn({ text }: Expression): { label: string; values: string[] }[] {
  return [...text.matchAll(/(\w+)(?:=~|=)"([^"]*)"/g)].map(([, label = '', values = '']) => ({
    label,
    values: values.split('|'),
  }));
}
