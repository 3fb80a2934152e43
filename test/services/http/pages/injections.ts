/** A page ran a script that somebody had written into it if this is set there. */
export const HARM = 'harmed';

const RUN = `globalThis.${HARM}=1`;
const ELSEWHERE = 'https://elsewhere.example/x';

/** What becomes something else than text where a page is careless. */
export const INJECTIONS: readonly string[] = [
  `<script>${RUN}</script>`,
  `</script><script>${RUN}</script>`,
  `<SCRIPT SRC=${ELSEWHERE}></SCRIPT>`,
  `<scr<script>ipt>${RUN}</scr</script>ipt>`,
  `<img src=x onerror=${RUN}>`,
  `<img src="${ELSEWHERE}">`,
  `"><img src=x onerror=${RUN}>`,
  `'><img src=x onerror=${RUN}>`,
  `" onfocus="${RUN}" autofocus="`,
  `' onmouseover='${RUN}`,
  `" style="background:url(${ELSEWHERE})`,
  `<svg onload=${RUN}>`,
  `<svg><script>${RUN}</script></svg>`,
  `<svg><animate onbegin=${RUN} attributeName=x dur=1s>`,
  `<math><mtext></mtext><script>${RUN}</script></math>`,
  `<iframe src="javascript:${RUN}"></iframe>`,
  `<iframe srcdoc="<script>parent.${HARM}=1</script>"></iframe>`,
  `<object data="${ELSEWHERE}"></object>`,
  `<embed src="${ELSEWHERE}">`,
  `<link rel=stylesheet href="${ELSEWHERE}">`,
  `<style>@import url(${ELSEWHERE});</style>`,
  `</style><script>${RUN}</script>`,
  `</title><script>${RUN}</script>`,
  `</textarea><script>${RUN}</script>`,
  `</option></select><script>${RUN}</script>`,
  `</td></tr></table><script>${RUN}</script>`,
  `<meta http-equiv=refresh content="0;url=${ELSEWHERE}">`,
  `<base href="${ELSEWHERE}">`,
  `<form action="${ELSEWHERE}"><button>Log in</button></form>`,
  `<a href="javascript:${RUN}">open</a>`,
  `javascript:${RUN}`,
  `<!--><script>${RUN}</script>-->`,
  `<![CDATA[<script>${RUN}</script>]]>`,
  `&lt;script&gt;${RUN}&lt;/script&gt;`,
  `&#60;script&#62;${RUN}`,
  `\u202e<script>${RUN}</script>`,
  `<details open ontoggle=${RUN}>`,
  `<video><source onerror=${RUN}></video>`,
  `<body onload=${RUN}>`,
  `<input onfocus=${RUN} autofocus>`,
  `{{constructor.constructor('${RUN}')()}}`,
  `\${${RUN}}`,
  `../../../tokens?x="><script>${RUN}</script>`,
  `%3Cscript%3E${RUN}%3C/script%3E`,
];

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
};

/** The text of markup and of its attributes, with what was escaped as it was. */
export function unescaped(markup: string): string {
  return markup.replace(/&(?:lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity] ?? entity);
}
