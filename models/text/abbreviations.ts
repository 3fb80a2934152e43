/**
 * Abbreviations that want something after them, so that their full stop does not end a sentence.
 * Those that often stand last ("etc.", "mg.", "a.m.") are left out: there the next word decides.
 * Without full stops ("e.g." is `eg`); a capital makes an entry case-sensitive ("Ms.", not "ms.").
 */
const ENGLISH =
  'dr drs mr mrs Ms prof St Rev Hon sgt capt Jr Sr messrs vs dept approx tel cf eg ie viz hosp ' +
  'univ Pt resp temp incl excl';
const SPANISH =
  'dra dres sta sr sra srta sres don Dña dña dª ldo lda lic ing av avda avd ctra pza plza pl pº pso carr crta cra cdad Col urb nnal ' +
  'edif edf apdo esq prov dpto depto fdo fdª fda tfno tfo telf teléf hnos mª fco gral aprox ej pej ' +
  'izq izqda dcha dcho rdo exp pac';
const GERMAN =
  'Hr hrn Fr frl med phil dipl priv doz Pat geb str ca bzw bspw evtl ggf inkl exkl vgl sog zb dh ' +
  'ua uä zt zn allg klin röntg verst verh li zzgl wg gg lt ehem';
const FRENCH = 'mme mmes mlle mlles MM pr Me Ste bd boul chap env éd hôp tél bât';

export const ABBREVIATIONS: ReadonlySet<string> = new Set(
  [ENGLISH, SPANISH, GERMAN, FRENCH].flatMap((words) => words.split(' ')),
);

/** Abbreviations before a number only ("no. 5"); elsewhere many of them are words ("no."). */
export const NUMBER_ABBREVIATIONS: ReadonlySet<string> = new Set(
  'no nos nr num núm n nº p pp pág págs pag fig figs abb tab vol ext apt rm art cap kap s km esc'
    .split(' ')
    .concat(
      'jan feb mar apr jun jul aug sep sept oct nov dec ene abr ago dic janv févr fév avr juil déc okt dez'.split(
        ' ',
      ),
    ),
);

/** Letters with a full stop each ("V. a.", "i. S."): whole words in other places, so not above. */
export const DOTTED_ABBREVIATIONS: ReadonlySet<string> = new Set(
  'va is ia ir uu ob oä iv im sc po pa'.split(' '),
);

/** Of these, the ones that often stand last, so that the next word decides. */
export const CLOSING_ABBREVIATIONS: ReadonlySet<string> = new Set(
  'ob oä iv im sc po pa'.split(' '),
);

/** Before a German ordinal ("die 2. Operation"). */
export const GERMAN_BEFORE_ORDINALS: ReadonlySet<string> = new Set(
  'der die das den dem im am vom zum zur beim ins jeder jede jedes'.split(' '),
);

/** After a day number with a full stop ("3. Mai"). */
export const GERMAN_MONTHS: ReadonlySet<string> = new Set(
  'januar jänner februar märz april mai juni juli august september oktober november dezember'.split(
    ' ',
  ),
);

/** Words that start a sentence even after a single capital letter ("hepatitis C. The patient"). */
export const SENTENCE_STARTERS: ReadonlySet<string> = new Set(
  (
    'the a an he she it his her this that there they we i in on at no patient pt ' +
    'el la los las un una se en al su con por para paciente fue es ha tras ante como ' +
    'der die das ein eine er sie wir im am bei mit nach keine kein patientin ' +
    'le les une il elle nous je ce cette dans au aux sur pas merci après'
  ).split(' '),
);
