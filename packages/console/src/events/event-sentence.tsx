/** One event as a sentence of names: who did what to which thing. */
import type { Event } from '@bourse/sdk'
import { Actor, actorText, Things, thingsText } from '../live/names/named.tsx'
import { phraseOf } from './sentence.rules.ts'

/** The sentence. */
export function EventSentence({ event }: { event: Event }) {
  const { is_of_actor, text } = phraseOf(event)
  const things = <Things things={event.targets} />
  if (is_of_actor) {
    return (
      <>
        <Actor {...event.actor} /> {text} {things}
      </>
    )
  }
  return (
    <>
      {things} {text}
    </>
  )
}

/** The same as a text, for sorting and files. */
export function sentenceText(event: Event): string {
  const { is_of_actor, text } = phraseOf(event)
  const things = thingsText(event.targets)
  return is_of_actor ? `${actorText(event.actor)} ${text} ${things}` : `${things} ${text}`
}
