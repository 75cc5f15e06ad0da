// What the page of all ways in says first.

/** A stranger, somebody who is signed in, or somebody who has to sign in again for what they are about to do. */
type VisitKind = 'stranger' | 'signed_in' | 'step_up'

/** The title of the page, and the lines below it. */
type Greeting = { readonly kind: VisitKind; readonly title: string; readonly lines: readonly string[] }

/** Greets a visitor. `who`: the person and the account, undefined for a stranger, whom no step can lead further up. */
export function greetingOf(who: string | undefined, isStepUp: boolean): Greeting {
  if (who === undefined) return { kind: 'stranger', title: 'Sign in to Bourse', lines: [] }
  if (!isStepUp) return { kind: 'signed_in', title: 'You are signed in', lines: [`You are ${who}.`] }
  const lines = [`You are ${who}. What you are about to do needs a sign-in of the last 15 minutes.`]
  return { kind: 'step_up', title: 'Sign in again', lines }
}
