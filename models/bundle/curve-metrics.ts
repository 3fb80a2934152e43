/** What the metrics of a training call its losses, for people. */
export const LOSSES: Readonly<Record<string, string>> = {
  l_deid: 'de-identifier',
  l_adv: 'adversary',
  l_rep: 'representation',
  l_certified: 'certified objective',
};
