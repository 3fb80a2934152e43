/** What reads telephone numbers; `make build` puts all of it into the built file, as of `proto/typebox`. */
export { type CountryCode, findPhoneNumbersInText } from 'libphonenumber-js/max';
