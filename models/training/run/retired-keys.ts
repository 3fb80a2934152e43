/**
 * Keys that a configuration may still hold, each with the one value that means what is done without
 * it. With another value they are unknown keys, which a configuration is refused for.
 */
const RETIRED: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  P3: { accuracyWeight: 0, rampEpochs: 0, adversaries: 1, refreshEvery: 0 },
};

/** A configuration without the retired keys that mean nothing. */
export function withoutRetiredKeys(config: unknown): unknown {
  if (!isRecord(config)) return config;
  const kept = Object.entries(config).map(([section, value]) => {
    const retired = RETIRED[section];
    if (!retired || !isRecord(value)) return [section, value];
    const means = ([key, each]: [string, unknown]) => !(key in retired) || retired[key] !== each;
    return [section, Object.fromEntries(Object.entries(value).filter(means))];
  });
  return Object.fromEntries(kept);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
