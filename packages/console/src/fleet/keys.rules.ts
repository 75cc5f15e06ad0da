/** Which SSH keys a new instance gets, as a form keeps and sends the choice. Pure. */
import type { SshKey } from '@bourse/sdk'

/** A choice as a text of a form: nothing for all of one's own, a word for none, or ids. */
const noKey = 'none'

type OwnedKey = Pick<SshKey, 'id' | 'owner'>

/** The ids that a text chooses among the keys that exist; `owner` is who creates the instance. */
export function chosenKeys(text: string, keys: readonly OwnedKey[], owner: string): ReadonlySet<string> {
  if (text === '') return new Set(keys.filter((key) => key.owner.id === owner).map(({ id }) => id))
  const ids = new Set(text.split(', '))
  return new Set(keys.filter(({ id }) => ids.has(id)).map(({ id }) => id))
}

/** The text of a choice. That of all one's own keys also stands for those that are added before it is sent. */
export function keysText(chosen: ReadonlySet<string>, keys: readonly OwnedKey[], owner: string): string {
  const own = chosenKeys('', keys, owner)
  if (chosen.size === own.size && [...own].every((id) => chosen.has(id))) return ''
  return chosen.size === 0 ? noKey : [...chosen].join(', ')
}

/** The body of a form with the choice: left out where the server takes the same by itself. */
export function withKeys(body: object, text: string): object {
  const { ssh_keys: _, ...rest } = { ssh_keys: undefined, ...body }
  if (text === '') return rest
  return { ...rest, ssh_keys: text === noKey ? [] : text.split(', ') }
}
