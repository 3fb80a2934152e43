/** Where in its note a sentence stands: in the free text, or in the header or the signature. */
export type NoteLine = 'narrative' | 'form';
