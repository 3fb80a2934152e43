/** Names of people that name a thing: never PHI. */
export const DEVICES = [
  'Foley catheter',
  'Jackson-Pratt drain',
  'Hickman line',
  'Penrose drain',
  'Swan-Ganz catheter',
  'Salem sump tube',
  'Thomas splint',
  'Philadelphia collar',
  'Holter monitor',
  'Yankauer sucker',
  'Redivac drain',
  'Zimmer frame',
  'Ryles tube',
  'Guedel airway',
];

export const SIGNS = [
  'Babinski sign',
  'Homans sign',
  'Murphy sign',
  'Romberg test',
  'Trendelenburg gait',
  'Tinel sign',
  'Phalen test',
  'Brudzinski sign',
  'Kernig sign',
  'Chvostek sign',
  'Hoffmann reflex',
  'Thomas test',
  'Rinne test',
  'Cullen sign',
  'Grey Turner sign',
  'Lachman test',
];

export const RULED_OUT = [
  'Cushing syndrome',
  'Wilson disease',
  'Lyme disease',
  'Addison disease',
  'Guillain-Barre syndrome',
  'Wernicke encephalopathy',
  'Ewing sarcoma',
  'Bell palsy',
  'Parkinson disease',
  'Kawasaki disease',
  'Hirschsprung disease',
  'Hodgkin lymphoma',
  'Creutzfeldt-Jakob disease',
  'Stevens-Johnson syndrome',
];

export const APPROACHES = [
  'Kocher',
  'Lanz',
  'Pfannenstiel',
  'Hasson',
  'McBurney',
  'Hardinge',
  'Lichtenstein',
  'Seldinger',
];

export const INSTRUMENTS = [
  'Langenbeck retractor',
  'Balfour retractor',
  'Kirschner wire',
  'Babcock forceps',
  'Allis clamps',
  'Kocher forceps',
  'Bovie',
  'Metzenbaum scissors',
];
