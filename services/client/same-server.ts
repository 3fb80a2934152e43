/** Whether two addresses are of one server, which a token for one of them may go to: the same scheme, host and port. */
export function isSameServer(one: string, other: string): boolean {
  return URL.canParse(one) && URL.canParse(other) && new URL(one).origin === new URL(other).origin;
}
