// When a host declares the keys of its tunnel, and when it changes them. A new key is first made known: peers accept
// both, and follow when the host calls with the new one. So an interruption at any step leaves a key that works.

/** What a host declares: its public keys and the port of its tunnel. */
export type TunnelDeclaration = {
  readonly public_key: string
  readonly next_public_key: string | null
  readonly port: number
}

/** How long all peers have to learn the next key before the host uses it. They learn it within a second or two. */
export const knownMilliseconds = 60_000

/** The state of the keys. Milliseconds are those of the monotonic clock. */
export type KeyState = {
  readonly own: TunnelDeclaration
  /** What the server tells the peers; null if it knows no tunnel of this host. */
  readonly known: TunnelDeclaration | null
  /** Since when the server tells them the next key. */
  readonly known_since: number | undefined
  readonly now: number
  readonly age_seconds: number
  /** Zero: the key is changed by command only. */
  readonly change_every_seconds: number
}

/** Whether the server tells the peers what this host declares. */
export function isKnown(own: TunnelDeclaration, known: TunnelDeclaration | null): boolean {
  const isSameKey = known?.public_key === own.public_key && known.next_public_key === own.next_public_key
  return isSameKey && known?.port === own.port
}

/** What to do next; undefined if nothing. */
export function nextKeyStep(state: KeyState): 'declare' | 'make_next' | 'use_next' | undefined {
  const { own, known, known_since, now, age_seconds, change_every_seconds } = state
  if (!isKnown(own, known)) return 'declare'
  if (own.next_public_key !== null) {
    return known_since !== undefined && now - known_since >= knownMilliseconds ? 'use_next' : undefined
  }
  return change_every_seconds > 0 && age_seconds >= change_every_seconds ? 'make_next' : undefined
}
