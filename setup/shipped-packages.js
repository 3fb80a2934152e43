/** Paths in a lock file of the packages that an installation may have: those of development are left out. */
export function shippedPackages({ packages }) {
  return Object.keys(packages).filter((path) => {
    const { dev, devOptional, peer } = packages[path];
    return path !== '' && !dev && !devOptional && !peer;
  });
}
