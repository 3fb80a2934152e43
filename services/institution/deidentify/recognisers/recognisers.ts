import { setImmediate } from 'node:timers/promises';
import { blocksOf } from '../../../../models/text/blocks.js';
import { scoreWithContext, supportiveWord } from './context.js';
import { CREDIT_CARD } from './credit-card.js';
import { CRYPTO_WALLET } from './crypto-wallet.js';
import { date } from './date.js';
import { DEA_NUMBER } from './dea-number.js';
import { EMAIL } from './email.js';
import { IBAN } from './iban.js';
import { IP_ADDRESS } from './ip-address.js';
import { MAC_ADDRESS } from './mac-address.js';
import { NHS_NUMBER } from './nhs-number.js';
import { phoneNumber } from './phone-number.js';
import type { Recogniser } from './recogniser.js';
import { RECORD_NUMBERS } from './record-numbers.js';
import { ES_NIE, ES_NIF } from './spanish-identity.js';
import { UK_DRIVING_LICENCE, UK_NATIONAL_INSURANCE } from './uk-identity.js';
import { URL_ADDRESS } from './url.js';
import { US_BANK_ACCOUNT, US_PASSPORT } from './us-accounts.js';
import { US_DRIVER_LICENSE } from './us-driver-license.js';
import { US_MEDICARE } from './us-medicare.js';
import { NAMED_SOCIAL_SECURITY, US_SOCIAL_SECURITY } from './us-social-security.js';

/** One finding of a recogniser, in UTF-16 offsets. */
export interface PatternFinding {
  readonly recogniser: string;
  /** Presidio's name of the type. */
  readonly type: string;
  readonly start: number;
  readonly end: number;
  /** With what the words before it add. */
  readonly score: number;
  readonly originalScore: number;
  readonly pattern: string;
  readonly supportiveWord: string | undefined;
}

/** Languages that there are recognisers for. */
const RECOGNISED_LANGUAGES = ['en', 'es'] as const;

/** What finds PHI by its shape in texts of the languages; by default of all. */
export function recognisersFor(
  languages: readonly string[] = RECOGNISED_LANGUAGES,
): readonly Recogniser[] {
  const all: readonly Recogniser[] = [
    EMAIL,
    URL_ADDRESS,
    IP_ADDRESS,
    MAC_ADDRESS,
    CREDIT_CARD,
    IBAN,
    CRYPTO_WALLET,
    phoneNumber(languages),
    US_SOCIAL_SECURITY,
    NAMED_SOCIAL_SECURITY,
    US_MEDICARE,
    US_DRIVER_LICENSE,
    US_PASSPORT,
    US_BANK_ACCOUNT,
    date(languages),
    ES_NIF,
    ES_NIE,
    NHS_NUMBER,
    UK_NATIONAL_INSURANCE,
    UK_DRIVING_LICENCE,
    DEA_NUMBER,
    ...RECORD_NUMBERS,
  ];
  return all.filter((each) => each.languages?.some((one) => languages.includes(one)) ?? true);
}

/** What they find, by Presidio's names. */
export const PATTERN_TYPES: readonly string[] = [
  ...new Set(recognisersFor().map(({ type }) => type)),
];

/** Whether recognisers look beside the model: all of them, none, or those of these types. */
export type PatternChoice = boolean | readonly string[];

export function chosenRecognisers(choice: PatternChoice = true): readonly Recogniser[] {
  if (typeof choice === 'boolean') return choice ? recognisersFor() : [];
  return recognisersFor().filter(({ type }) => choice.includes(type));
}

export interface PatternOptions {
  /** Words that count as standing before each finding. */
  readonly everywhere?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What recognisers find in a text, in no order, with pauses for other work. */
export async function* findPatterns(
  text: string,
  recognisers: readonly Recogniser[],
  { everywhere, signal }: PatternOptions = {},
): AsyncGenerator<PatternFinding> {
  for (const block of blocksOf(text)) {
    signal?.throwIfAborted();
    for (const finding of findIn(block.text, recognisers, everywhere)) {
      const [start, end] = [block.start + finding.start, block.start + finding.end];
      yield { ...finding, start, end };
    }
    await setImmediate();
  }
}

function* findIn(
  text: string,
  recognisers: readonly Recogniser[],
  everywhere: readonly string[] = [],
): Generator<PatternFinding> {
  for (const { name, type, context, find } of recognisers) {
    for (const { start, end, score, pattern } of find(text)) {
      const word = supportiveWord(text.slice(0, start), context, everywhere);
      yield {
        recogniser: name,
        type,
        start,
        end,
        score: scoreWithContext(score, word),
        originalScore: score,
        pattern,
        supportiveWord: word,
      };
    }
  }
}
