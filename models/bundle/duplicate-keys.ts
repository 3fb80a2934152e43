const JSON_TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}:]/g;

/**
 * True where an object anywhere in `json` names a key twice. `JSON.parse` would keep the last one in
 * silence, so that two readers of one signed file could see different contents.
 *
 * @param json text that `JSON.parse` accepts
 */
export function hasDuplicateKeys(json: string): boolean {
  const open: Set<string>[] = [];
  let literal = '';
  for (const [token] of json.matchAll(JSON_TOKEN)) {
    if (token === '{') open.push(new Set());
    else if (token === '}') open.pop();
    else if (token === ':') {
      const key: string = JSON.parse(literal);
      const keys = open.at(-1);
      if (keys?.has(key)) return true;
      keys?.add(key);
    } else if (token.startsWith('"')) literal = token;
  }
  return false;
}
