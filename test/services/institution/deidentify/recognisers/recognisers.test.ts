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
    ['CREDIT_CARD', '4095-2609-9393-4932'],
    ['CREDIT_CARD', '371449635398431'],
    ['IBAN_CODE', 'IL150120690000003111111'],
    ['IBAN_CODE', 'ES91 2100 0418 4502 0005 1332'],
    ['PHONE_NUMBER', '(617) 555-0199'],
    ['PHONE_NUMBER', '617-555-0199 ext. 12'],
    ['PHONE_NUMBER', '+44 20 7946 0958'],
    ['PHONE_NUMBER', '600 123 456'],
    ['PHONE_NUMBER', '91 397 00 00'],
    ['US_SSN', '078-05-1126'],
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
    ['dates', 'on 03/05/2018, 2018-05-03 and 3.5.2018'],
    ['doses and laboratory values', 'Na 140, K 4.1, 2.500 mg/24 h, TA 120/80, 37.5 °C'],
    ['sentences without a space between', 'Alta hospitalaria.Es remitido. Fin.De nuevo'],
    ['a letter with digits that nothing says is a licence', 'B12 and AC432223'],
  ])('%s', async (_, text) => {
    expect(await found(text)).toEqual([]);
  });
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

test('whatever stands in it, a long text is read, in time that grows with its length', async () => {
  for (const piece of ['a', 'a.', 'a@', '1', '1 ', '1-', 'A1', ':', '+', 'http://', '(1', 'ES11 '])
    expect(await found(piece.repeat(2 ** 15 / piece.length))).toBeInstanceOf(Array);
});
