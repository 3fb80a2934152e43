/** Elements of HTML within a line, in lower case. */
export const INLINE_HTML: ReadonlySet<string> = new Set(
  (
    'a abbr acronym b bdi bdo big cite code del dfn em font i ins kbd mark q s samp small span strike ' +
    'strong sub sup time tt u var wbr'
  ).split(' '),
);

/** Those at which a line begins or ends. */
export const BLOCK_HTML: ReadonlySet<string> = new Set(
  (
    'html head title body div p br hr h1 h2 h3 h4 h5 h6 pre blockquote address center ' +
    'ul ol li dl dt dd dir menu table caption colgroup col thead tbody tfoot tr th td ' +
    'section article header footer main nav aside figure figcaption details summary'
  ).split(' '),
);
