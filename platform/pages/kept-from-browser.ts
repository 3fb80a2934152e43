/**
 * Attributes of an element that shows text of a note: a browser that translates pages sends them to who made it. Its
 * type is of no attribute, since preact knows `translate` as a boolean and leaves a false one out.
 */
export const NOT_TRANSLATED: object = { translate: 'no' };

/**
 * Of a field that takes it, besides: browsers can have spelling checked elsewhere, and keep what stands in fields on
 * the disk, to restore a session.
 */
export const NOT_SENT_OR_KEPT: object = {
  ...NOT_TRANSLATED,
  spellcheck: false,
  autocomplete: 'off',
};
