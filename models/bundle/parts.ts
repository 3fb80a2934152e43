import type { NamedArrays } from '../networks/named-arrays.js';

/** The networks of a bundle, each with its weights. */
export type Parts = Readonly<Record<string, NamedArrays>>;

/** One set of weights for a bundle: `representation/bilstm/...`, `deidentifier/crf/start`, .... */
export function joinParts(parts: Parts): NamedArrays {
  return Object.fromEntries(
    Object.entries(parts).flatMap(([part, weights]) =>
      Object.entries(weights).map(([name, array]) => [`${part}/${name}`, array]),
    ),
  );
}

/** The weights of one network, by the names it has for them; empty where the bundle lacks it. */
export function partOf(weights: NamedArrays, part: string): NamedArrays {
  const prefix = `${part}/`;
  return Object.fromEntries(
    Object.entries(weights)
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, array]) => [name.slice(prefix.length), array]),
  );
}
