/** Values by the names of places or of representations. */
export type Named<T> = readonly (readonly [name: string, value: T])[];
