/** Whether a host, as a URL or `--host` names it, is this machine's own and reached by no network. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
}
