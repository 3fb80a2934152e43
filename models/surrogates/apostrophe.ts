/** Part of a pattern: an apostrophe as it is typed or set, or a mark that is taken for one. */
export const APOSTROPHE = "['’‘‛`´ʼʹ′＇]";
