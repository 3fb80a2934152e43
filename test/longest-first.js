import Sequencer from '@jest/test-sequencer';

/** Files that take minutes: begun last, one worker would be at them long after the others have ended. */
const LONGEST = [
  'docs/documentation.test.js',
  'institution/release/exactness/exactness.test.js',
  'services/cli/demo.test.js',
];

/** Jest's own order but for the longest files, which come first. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => {
      const place = LONGEST.findIndex((end) => path.endsWith(end));
      return place === -1 ? LONGEST.length : place;
    };
    return [...super.sort(tests)].sort((a, b) => rank(a) - rank(b));
  }
}
