"""Words whose full stop does not end a sentence, in English, Spanish, German and French notes.

The lists are those of ``models/text/abbreviations.ts``, without full stops; a capital makes an entry
case-sensitive. A test compares them.
"""

from __future__ import annotations


def _words(*lists: str) -> "frozenset[str]":
    return frozenset(" ".join(lists).split(" "))


#: They want something after them. Those that often stand last are left out: there the next word decides.
ABBREVIATIONS = _words(
    "dr drs mr mrs Ms prof St Rev Hon sgt capt Jr Sr messrs vs dept approx tel cf eg ie viz hosp "
    "univ Pt resp temp incl excl",
    "dra dres sta sr sra srta sres don Dña dña dª ldo lda lic ing av avda avd ctra pza plza pl pº "
    "pso carr crta cra cdad Col urb nnal "
    "edif edf apdo esq prov dpto depto fdo fdª fda tfno tfo telf teléf hnos mª fco gral aprox ej pej "
    "izq izqda dcha dcho rdo exp pac",
    "Hr hrn Fr frl med phil dipl priv doz Pat geb str ca bzw bspw evtl ggf inkl exkl vgl sog zb dh "
    "ua uä zt zn allg klin röntg verst verh li zzgl wg gg lt ehem",
    "mme mmes mlle mlles MM pr Me Ste bd boul chap env éd hôp tél bât",
)

#: Before a number alone.
NUMBER_ABBREVIATIONS = _words(
    "no nos nr num núm n nº p pp pág págs pag fig figs abb tab vol ext apt rm art cap kap s km esc",
    "jan feb mar apr jun jul aug sep sept oct nov dec ene abr ago dic janv févr fév avr juil déc okt "
    "dez",
)

#: Letters with a full stop each.
DOTTED_ABBREVIATIONS = _words("va is ia ir uu ob oä iv im sc po pa")

#: Of these, the ones that often stand last, so that the next word decides.
CLOSING_ABBREVIATIONS = _words("ob oä iv im sc po pa")

#: Before a German ordinal.
GERMAN_BEFORE_ORDINALS = _words("der die das den dem im am vom zum zur beim ins jeder jede jedes")

#: After a day's number with a full stop.
GERMAN_MONTHS = _words(
    "januar jänner februar märz april mai juni juli august september oktober november dezember"
)

#: They start a sentence even after a single capital letter.
SENTENCE_STARTERS = _words(
    "the a an he she it his her this that there they we i in on at no patient pt",
    "el la los las un una se en al su con por para paciente fue es ha tras ante como",
    "der die das ein eine er sie wir im am bei mit nach keine kein patientin",
    "le les une il elle nous je ce cette dans au aux sur pas merci après",
)
