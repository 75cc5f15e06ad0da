/** Passkeys: which domain they are bound to. */
import { isIP } from 'node:net'

/** The domain that passkeys are bound to, and the origin at which a browser uses them (Web Authentication, 5.4.1). */
export type RelyingParty = { readonly id: string; readonly origin: string }

/**
 * The relying party of a server; undefined where browsers make no passkeys: at an address of numbers, and on http to
 * another machine. A sandbox is reached by several names of the machine, so there `host` counts, if it is `localhost`.
 */
export function relyingPartyOf({
  mode,
  public_url,
  host,
}: {
  mode: 'sandbox' | 'production'
  public_url: string
  host: string | undefined
}): RelyingParty | undefined {
  const local = `http://${host}`
  const isLocal = mode === 'sandbox' && URL.canParse(local) && new URL(local).hostname === 'localhost'
  const { hostname, origin, protocol } = new URL(isLocal ? local : public_url)
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return undefined
  return protocol === 'https:' || hostname === 'localhost' ? { id: hostname, origin } : undefined
}

/** The name of a passkey that nobody has named: what made it. */
export function nameFor(device: string, taken: readonly string[]): string {
  const system = /Windows|Macintosh|iPhone|iPad|Android|CrOS|Linux/.exec(device)?.[0] ?? 'Passkey'
  const names: Readonly<Record<string, string>> = { Macintosh: 'Mac', CrOS: 'Chromebook' }
  const base = names[system] ?? system
  for (let n = 1; ; n++) {
    const name = n === 1 ? base : `${base} ${n}`
    if (!taken.includes(name)) return name
  }
}
