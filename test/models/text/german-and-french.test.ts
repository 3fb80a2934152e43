import { describe, expect, test } from '@jest/globals';
import { splitSentences } from '../../../models/text/sentence-splitter.js';
import { tokenise } from '../../../models/text/tokeniser.js';

/** Sentences are parted by ` | `, which is taken out before the splitter sees the text. */
function expectSentences(marked: string): void {
  const text = marked.replaceAll(' | ', ' ');
  const sentences = splitSentences(text, tokenise(text)).map((tokens) =>
    text.slice(tokens[0]?.start, tokens.at(-1)?.end),
  );
  expect(sentences.join(' | ')).toBe(marked);
}

describe('German sentences', () => {
  test.each([
    'Herr Dr. med. Karl Müller, geb. am 3.5.1956, wohnhaft Bahnhofstr. 12, 80331 München. | Aufnahme am 12. März 2019 wg. Dyspnoe.',
    'Z. n. Appendektomie 1998. | V. a. Pneumonie links. | Kein Anhalt für Fraktur.',
    'Therapie: ASS 100 mg 1-0-0, Ramipril 5 mg u. a. nach Bedarf. | RR 140/90 mmHg, Temp. 38,5 °C.',
    'Der Pat. klagt seit ca. 3 Tagen über Husten, d. h. vor allem nachts. | Raucher (ca. 30 py).',
    'Die 2. Operation fand am 1. Dezember statt. | Im 3. Trimenon keine Auffälligkeiten.',
    'Vorstellung bei Prof. Dr. Schmidt-Weber am Univ.-Klinikum. | Entlassung am 5.6.',
    'Beurteilung i. S. einer COPD Gold III. | Wir empfehlen ggf. eine Kontrolle in 3 Mon. beim Hausarzt.',
    'Leukozyten 9.800/µl. | Im Rö-Thorax o. B. | Mit freundlichen Grüßen',
    'Lt. Angehörigen bekannte Allergie gg. Penicillin. | Hr. Kaya ist Maurer.',
    'Blutgruppe A pos. | Transfusion am 24.12. ohne Probleme. | Am 25.12. wurde er verlegt.',
  ])('%s', expectSentences);
});

describe('French sentences', () => {
  test.each([
    "Mme Dupont, née le 3 mai 1956, adressée par le Dr. Lefèvre. | L'examen clinique est normal.",
    'M. Martin habite au 12, av. de la République, 75011 Paris. | Tél. 01 42 34 56 78.',
    "Aujourd'hui, l'hémoglobine est à 9,8 g/dl. | Qu'en pense-t-il ? | « Rien à signaler. » | Il rentre.",
    "Suivi depuis le 1er janvier 2010 par le Pr. J.-P. Durand. | Pas d'allergie.",
    'Hospitalisé au C.H.U. de Lyon du 2 au 9 fév. 2018. | Sortie à J+7.',
    'Cf. compte rendu du 3 mars. | Rdv. dans 6 mois, c.-à-d. en septembre.',
    'Adressé au service du Dr Bernard, 3e étage, bât. B. | Merci de votre confiance.',
    "S'il y a fièvre > 38,5 °C, consulter. | N'hésitez pas à appeler le n° 15.",
  ])('%s', expectSentences);
});

describe('German and French tokens', () => {
  test.each([
    ['Größe 1,78m, Fußödem', ['Größe', '1', ',', '78', 'm', ',', 'Fußödem']],
    ['Schmidt-Weber', ['Schmidt', '-', 'Weber']],
    ['3.5.1956', ['3', '.', '5', '.', '1956']],
    ['9.800/µl', ['9', '.', '800', '/', 'µl']],
    ['„Husten“', ['„', 'Husten', '“']],
    ["aujourd'hui", ['aujourd', "'", 'hui']],
    ['qu’elle', ['qu', '’', 'elle']],
    ['1er étage', ['1', 'er', 'étage']],
    ['« œdème »', ['«', 'œdème', '»']],
    ['n° 15', ['n', '°', '15']],
    ['J.-P.', ['J', '.', '-', 'P', '.']],
  ])('%j', (text, expected) => {
    expect(tokenise(text).map((token) => token.text)).toEqual(expected);
  });
});
