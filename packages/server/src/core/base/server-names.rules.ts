/**
 * The name by which a request asks for the server. A page of another site can make its own name lead to this machine
 * (DNS rebinding), and would then read what needs no token. Its browser sends that name in the header Host.
 */
import { isIP } from 'node:net'

/** The names in URLs, and names as such, that lead to a server. Without the port, in lower case. */
export function namesOfServer(texts: readonly string[]): ReadonlySet<string> {
  return new Set(texts.map((text) => nameIn(text.includes('://') ? text : `http://${text}`)))
}

/**
 * Whether the value of a header Host is no name that another site controls: an IP address, `localhost`, a name without
 * a dot, which only the resolver of the network knows, or one of `names`.
 */
export function isNameOfServer(host: string, names: ReadonlySet<string>): boolean {
  const name = nameIn(`http://${host}`)
  if (name === '') return false
  return !name.includes('.') || isIP(name) !== 0 || name.endsWith('.localhost') || names.has(name)
}

/** The name in a URL, as browsers write it; empty if there is none. */
function nameIn(url: string): string {
  if (!URL.canParse(url)) return ''
  return new URL(url).hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
}
