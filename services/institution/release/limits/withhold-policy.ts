export interface WithholdPolicy {
  /**
   * Of 19 in 20 of the PHI entities that are to leave under a type with a portion of a job, among those that have a word
   * that can move, no adversary may be right more often by the vectors; what is missing may tell more of those in
   * `told`. Of what has left of a job that was interrupted, it may be fewer. From 0.5 to 1, where nothing is withheld
   * for its sake.
   */
  readonly limit: number;
  /** In how many released sentences an entity may be, over all jobs. */
  readonly maxSentencesPerEntity?: number | undefined;
}
