/** Lengths and numbers of sessions and sign-in links (docs/concepts/sign-in.md). */
import { daySeconds, hourSeconds, minuteSeconds } from '@bourse/text/time/units.ts'
import { earlierEnd, hasEnded } from '../tokens/tokens.rules.ts'

/** What a session is opened for: a browser, or a program such as the command line. */
export type SessionUse = 'browser' | 'program'

const lifeSeconds: Readonly<Record<SessionUse, number>> = { browser: 12 * hourSeconds, program: 30 * daySeconds }

/** How long a sign-in link may be opened. */
export const linkSeconds = 15 * minuteSeconds
/** The most open links of a user. A further one ends the oldest. */
export const linksMax = 5
/** The most open sessions of a user. A further one ends the oldest. */
export const sessionsMax = 20

/** When a new session ends at the latest. `endsBy` is the bound that it inherits. */
export function sessionEnd(use: SessionUse, endsBy: number | null, now: number): number {
  return earlierEnd(now + lifeSeconds[use], endsBy) as number
}

type Open = Parameters<typeof hasEnded>[0] & { readonly id: string }

/** The sessions that end when a user opens another one: those that have ended by time, and the oldest of too many. */
export function sessionsToEnd<S extends Open>(sessions: readonly S[], now: number): S['id'][] {
  const live = sessions.filter((session) => !hasEnded(session, now))
  const excess = new Set(live.slice(0, Math.max(0, live.length - (sessionsMax - 1))))
  return sessions.filter((session) => hasEnded(session, now) || excess.has(session)).map(({ id }) => id)
}

/** The oldest links, of which there are too many when a user gets another one. */
export function linksToEnd<L extends { readonly id: string }>(oldestFirst: readonly L[]): L['id'][] {
  return oldestFirst.slice(0, Math.max(0, oldestFirst.length - (linksMax - 1))).map(({ id }) => id)
}

/** The two parts of a link: its id, and the secret of 256 bits. */
export type LinkCode = { readonly id: string; readonly secret: Buffer }

const codePattern = /^([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/

/** The text of a link's code. */
export function linkCodeText({ id, secret }: LinkCode): string {
  return `${id}.${secret.toString('base64url')}`
}

/** Reads the text of a link's code; undefined if it is none. */
export function readLinkCode(text: string): LinkCode | undefined {
  const [, id, secret] = codePattern.exec(text) ?? []
  return id === undefined || secret === undefined ? undefined : { id, secret: Buffer.from(secret, 'base64url') }
}
