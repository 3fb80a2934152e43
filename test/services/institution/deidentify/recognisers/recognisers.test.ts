import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  findPatterns,
  recognisersFor,
} from '../../../../../services/institution/deidentify/recognisers/recognisers.js';

/** What is found of at least `score`, as `TYPE text`. */
async function found(text: string, languages = ['en', 'es'], score = 0.4): Promise<string[]> {
  const all: string[] = [];
  for await (const finding of findPatterns(text, recognisersFor(languages))) {
    const { type, start, end } = finding;
    if (finding.score >= score) all.push(`${type} ${text.slice(start, end)}`);
  }
  return all;
}

describe('recognisers find whole', () => {
  test.each([
    ['EMAIL_ADDRESS', 'maria.garcia@gmail.com'],
    ['EMAIL_ADDRESS', "j.o'neil+notes@mail.hospital.co.uk"],
    ['EMAIL_ADDRESS', 'josé.muñoz@sanidad.es'],
    ['URL', 'https://www.example.org/a?b=c#d'],
    ['URL', 'www.hospital-norte.es'],
    ['URL', 'microsoft.com'],
    ['IP_ADDRESS', '192.168.0.1'],
    ['IP_ADDRESS', '2001:db8::8a2e:370:7334'],
    ['EMAIL_ADDRESS', 'john.smith at example.org'],
    ['EMAIL_ADDRESS', 'jane_doe [at] mail.example.org'],
    ['EMAIL_ADDRESS', 'mary.jones@hospital'],
    ['IP_ADDRESS', '10.0.0.12:8080'],
    ['MAC_ADDRESS', '00:1B:44:11:3A:B7'],
    ['CREDIT_CARD', '4095-2609-9393-4932'],
    ['CREDIT_CARD', '371449635398431'],
    ['IBAN_CODE', 'IL150120690000003111111'],
    ['IBAN_CODE', 'ES91 2100 0418 4502 0005 1332'],
    ['PHONE_NUMBER', '(617) 555-0199'],
    ['PHONE_NUMBER', '617-555-0199 ext. 12'],
    ['PHONE_NUMBER', '(617) 555-0199, extension 22'],
    ['PHONE_NUMBER', '1-800-FLOWERS'],
    ['PHONE_NUMBER', '+44 20 7946 0958'],
    ['PHONE_NUMBER', '600 123 456'],
    ['PHONE_NUMBER', '91 397 00 00'],
    ['US_SSN', '078-05-1126'],
    ['US_MBI', '1EG4-TE5-MK73'],
    ['UK_NINO', 'AB 12 34 56 C'],
    ['UK_DRIVING_LICENCE', 'MORGA657054SM9IJ'],
    ['DATE_TIME', '03/05/2018'],
    ['DATE_TIME', '3-5-2018'],
    ['DATE_TIME', '31.12.1999'],
    ['DATE_TIME', '2018-05-03'],
    ['DATE_TIME', '2018-05-03T10:15:00Z'],
    ['DATE_TIME', '12/25/18'],
    ['DATE_TIME', '05/2018'],
    ['DATE_TIME', '3 May 2018'],
    ['DATE_TIME', '3rd of May, 2018'],
    ['DATE_TIME', 'May 3rd, 2018'],
    ['DATE_TIME', '03-MAY-2018'],
    ['DATE_TIME', "14 Sept. '09"],
    ['DATE_TIME', 'September 2009'],
    ['DATE_TIME', '2nd of June'],
    ['DATE_TIME', 'June 22'],
    ['DATE_TIME', '3 de mayo de 2018'],
    ['DATE_TIME', '1º de enero del 2018'],
    ['DATE_TIME', '15 de agosto'],
    ['DATE_TIME', 'Febrero del año 2001'],
    ['DATE_TIME', '3-ene-18'],
    ['DATE_TIME', 'año 1998'],
    ['ES_NIF', '12345678Z'],
    ['ES_NIF', '12.345.678-Z'],
    ['ES_NIE', 'X1234567L'],
  ])('%s: %s', async (type, phi) => {
    for (const text of [phi, `(${phi})`, `Seen: ${phi}.`, `😀 ${phi}, then home`, `\n${phi}\n`])
      expect(await found(text)).toContain(`${type} ${phi}`);
  });

  test('any address that the generator of tests makes, wherever it stands', async () => {
    await fc.assert(
      fc.asyncProperty(fc.emailAddress(), async (address) => {
        expect(await found(`mail to ${address} today`)).toContain(`EMAIL_ADDRESS ${address}`);
      }),
    );
  });
});

describe('recognisers find nothing in', () => {
  test.each([
    ['a card number with a wrong digit', '4095-2609-9393-4933'],
    ['an account number with wrong check digits', 'ES92 2100 0418 4502 0005 1332'],
    ['an IPv4 address with a number that is too large', '192.168.0.256'],
    ['times', 'at 12:30:45 and 13:05'],
    ['days that no month has', 'on 31/02/2018, 2018-13-03, 45.5.2018 and 32 May'],
    ['doses and laboratory values', 'Na 140, K 4.1, 2.500 mg/24 h, TA 120/80, 37.5 °C'],
    [
      'shares, ranges and grades',
      'take 3/4 tablets, 5-10 mg, 1/2 dose, grade 2/6, RR 12-16, 20/20',
    ],
    ['three numbers in a row', 'ratio 1-2-10, C5-6-7, scale 5-10-15 mg, titre 1/1280, 1/2000'],
    ['versions and sections', 'v2.10.1, section 3.4.12, build 10.4.2018.7, rule 12.1.2'],
    ['verbs that are months', 'She may 3 times a day march 5 miles, en marzo may be'],
    [
      'amounts in the range of years',
      'bolus of 2000 ml, in 2000 patients, desde 1950 ml, 2010 cells',
    ],
    ['numbers with a letter that is not theirs', 'DNI of 12345678A, X1234567A'],
    [
      'words of numbers without one',
      'MRN pending, chart no. 12, episodio 2, colegiado, case no. A',
    ],
    ['counts behind words that can name numbers', 'patient 1234, case 450, order 120, unit 300'],
    ['sentences without a space between', 'Alta hospitalaria.Es remitido. Fin.De nuevo'],
    [
      'angles and grades behind a word for extensions',
      'knee extension 120 degrees, ext 5/5, extension 1100 cm',
    ],
    ['words before a place', 'seen at home, dose 5mg@8am, 2 tabs @bedtime, rate@rest'],
    ['times and ratios in a row', '10:20:30:40:50:60:70, 12:34:56'],
    ['a patient that is no number', 'patient identified 1234567 cells, patient not 12345'],
    ['a letter with digits that nothing says is a licence', 'B12 and AC432223'],
  ])('%s', async (_, text) => {
    expect(await found(text)).toEqual([]);
  });
});

describe('a number is what the words before it say', () => {
  test.each([
    ['MEDICAL_RECORD_NUMBER', 'MRN: ', '00123-45', ''],
    ['MEDICAL_RECORD_NUMBER', 'medical record number is ', 'AB-1234567', '.'],
    ['MEDICAL_RECORD_NUMBER', 'Chart No. ', 'b12345/67', ' seen'],
    ['MEDICAL_RECORD_NUMBER', 'NHC: ', '2569870', '.\nNASS'],
    ['MEDICAL_RECORD_NUMBER', 'CIPA: nhc-', '123456', '.'],
    ['MEDICAL_RECORD_NUMBER', 'Nº de historia clínica ', '998877', ''],
    ['ENCOUNTER_NUMBER', 'Accession #', 'S18-04412', ''],
    ['ENCOUNTER_NUMBER', 'Episodio: ', '7436544', '.\nMédico'],
    ['HEALTH_PLAN_NUMBER', 'NASS: ', '26 63514095 43', '.'],
    ['HEALTH_PLAN_NUMBER', 'Policy number ', 'XK-4471 0092', ', valid'],
    ['MEDICAL_LICENSE', 'NºCol: ', '28 28 70973', '.\nInforme'],
    ['MEDICAL_LICENSE', 'License no. ', 'A123456', ''],
    ['IDENTITY_DOCUMENT', 'Passport: ', '533380006', ''],
    ['MEDICAL_RECORD_NUMBER', 'pt id ', '55821', ','],
    ['MEDICAL_RECORD_NUMBER', 'Patient identifier ', '998-22-31', ''],
    ['MEDICAL_RECORD_NUMBER', 'CHI ', '010170 1234', ' 54 yo'],
    ['ENCOUNTER_NUMBER', 'acct # ', '8812003', ''],
    ['ENCOUNTER_NUMBER', 'Rx# ', '4432991', ''],
    ['MEDICAL_LICENSE', 'Lic. no. ', '44821', ''],
    ['IDENTITY_DOCUMENT', 'Badge ', '44821', '.'],
    ['US_SSN', 'SSN ', '078051126', ' 61 yo'],
    ['PHONE_NUMBER', 'call ext. ', '4410', ''],
    ['PHONE_NUMBER', 'beeper ', '34522', ''],
    ['REFERENCE_NUMBER', 'S/N: ', '88213AX', ''],
    ['REFERENCE_NUMBER', 'Our ref: ', 'JS/4482913', ''],
    ['REFERENCE_NUMBER', 'application (no. ', '36244/06', ') lodged'],
  ])('%s: %s%s', async (type, before, number, after) => {
    const numbers = await found(`Note.\n${before}${number}${after}`);
    expect(numbers).toContain(`${type} ${number}`);
  });

  test('and so are others that stand beside it', async () => {
    const text = 'two applications (nos. 8319/07, 11449/07 and 36244/06)';
    expect(await found(text)).toEqual(
      ['8319/07', '11449/07', '36244/06'].map((number) => `REFERENCE_NUMBER ${number}`),
    );
  });

  test('but a date behind them is one', async () => {
    expect(await found('chart no. 03/05/2018')).toEqual(['DATE_TIME 03/05/2018']);
  });
});

test('years count behind words that ask for one, alone or one of several', async () => {
  expect(await found('Seen in 2007, 2009 and 2011; room 1998; operado desde 1980 a 1983')).toEqual(
    ['2007', '2009', '2011', '1980', '1983'].map((year) => `DATE_TIME ${year}`),
  );
});

test('check digits and a word before make a number one of the health service or of a prescriber', async () => {
  expect(await found('NHS number 943 476 5919', ['en'])).toContain('UK_NHS 943 476 5919');
  expect(await found('NHS number 943 476 5918', ['en'])).not.toContain('UK_NHS 943 476 5918');
  expect(await found('DEA certificate AB1234563', ['en'])).toContain('MEDICAL_LICENSE AB1234563');
  expect(await found('certificate AB1234564', ['en'])).toEqual([]);
});

test('months in words are those of the languages that are asked for', async () => {
  expect(await found('3 de mayo de 2018', ['en'])).toEqual([]);
  expect(await found('June 3, 2018', ['es'])).toEqual([]);
});

test('a form that many numbers have counts where a word before it speaks for it', async () => {
  const text = (before: string) => `John Smith ${before} is AC432223`;
  expect(await found(text('drivers license'), ['en'])).toEqual(['US_DRIVER_LICENSE AC432223']);
  expect(await found(text('result'), ['en'])).toEqual([]);
  const { value: finding } = await findPatterns(
    text('drivers license'),
    recognisersFor(['en']),
  ).next();
  expect(finding).toMatchObject({ originalScore: 0.3, supportiveWord: 'driver' });
  expect(finding?.score).toBeCloseTo(0.65);
});

test.each([
  ['base 58', '16Yeky6GMjeNkAiNcBY7ZhrLoMSgg1BoyZ', '16Yeky6GMjeNkAiNcBY7ZhrLoMSgg1BoyY'],
  [
    'base 32 (BIP 173)',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5',
  ],
  [
    'base 32 (BIP 350)',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd',
  ],
])('the address of a wallet in %s has a checksum', async (_, address, wrong) => {
  expect(await found(`to ${address}.`, ['en'])).toEqual([`CRYPTO ${address}`]);
  expect(await found(`to ${wrong}.`, ['en'])).toEqual([]);
});

test('a word before digits makes them a passport, or an account', async () => {
  expect(await found('US passport held: 191280342', ['en'])).toContain('US_PASSPORT 191280342');
  expect(await found('her bank account, 954567876544', ['en'])).toContain(
    'US_BANK_NUMBER 954567876544',
  );
  expect(await found('specimen 191280342 of 954567876544', ['en'])).toEqual([]);
});

test('whatever stands in it, a long text is read, in time that grows with its length', async () => {
  const pieces = ['a', 'a.', 'a@', '1', '1 ', '1-', 'A1', ':', '+', 'http://', '(1', 'ES11 '];
  for (const piece of pieces)
    expect(await found(piece.repeat(2 ** 15 / piece.length))).toBeInstanceOf(Array);
});

test('so is one of half a date or half a number after another', async () => {
  for (const piece of [
    '1/',
    '12/12/',
    '1 May ',
    'in 2007, ',
    '2007 to ',
    'MRN ',
    'no. ',
    'MRN 123, ',
  ])
    expect(await found(piece.repeat(2 ** 13 / piece.length))).toBeInstanceOf(Array);
});
