import { TacetError } from '../../../../proto/errors.js';
import { NotJson } from '../../../../proto/json-text.js';

/** Which of Presidio's services an error is answered as. */
export type PresidioService = 'analyzer' | 'anonymizer';

const UNPROCESSABLE = 422;
const BAD_REQUEST = 400;
/** What Presidio's web framework says of a body that is no JSON. */
const NOT_UNDERSTOOD =
  'The browser (or proxy) sent a request that this server could not understand.';

/** What Presidio refuses in words and with a status of its own. */
export class PresidioRefusal extends TacetError {
  constructor(
    message: string,
    /** The analyzer answers 500 though the request is at fault. */
    readonly answeredWith: 400 | 500,
  ) {
    super('request-invalid', message);
  }
}

/** How Presidio's service answers an error; `expected` is how ours would. */
export function presidioAnswer(
  error: unknown,
  service: PresidioService,
  expected: TacetError,
): { readonly status: number; readonly message: string } {
  const { status, message, code } = expected;
  if (error instanceof PresidioRefusal) return { status: error.answeredWith, message };
  if (error instanceof NotJson) return { status: BAD_REQUEST, message: NOT_UNDERSTOOD };
  const isUnprocessable = code === 'request-invalid' && service === 'anonymizer';
  return { status: isUnprocessable ? UNPROCESSABLE : status, message };
}
