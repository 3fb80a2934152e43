/** Features, behind the names of their types, whose strings are of closed tag sets, never words of the text. */
const TAGS: readonly RegExp[] = [
  /\.POS\w* (PosValue|coarseValue)$/,
  /\.Dependency DependencyType$/,
  /\.Dependency flavor$/,
  /\.NamedEntity value$/,
];

export function isTagFeature(type: string, feature: string): boolean {
  return TAGS.some((tag) => tag.test(`${type} ${feature}`));
}
