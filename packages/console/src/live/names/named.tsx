/** Who did something, and what it was about: people, programs and things by their names, with the id in the title. */
import { Link } from '@tanstack/react-router'
import { shortName } from './names.rules.ts'
import { knownName, useName } from './names.ts'
import { resourcePlace } from './places.rules.ts'

/** A person, a program or the service, as events, orders and the audit trail write them. */
export type ShownActor = {
  readonly type: string
  readonly id?: string | null | undefined
  readonly name?: string | null | undefined
}

/** Who did something. */
export function Actor({ type, id, name }: ShownActor) {
  const own = useName(id ?? '')
  if (!id) return <span className="quiet">{name ?? (type === 'system' ? 'the service' : type)}</span>
  return <bdi title={id}>{name ?? own ?? shortName(type, id)}</bdi>
}

/** The same as a text, for sorting and files. */
export function actorText({ type, id, name }: ShownActor): string {
  return name ?? (id ? (knownName(id) ?? id) : type)
}

type NamedThingProps = { type: string; id: string; isKindSaid?: boolean | undefined }

/** A thing by its name, with a link where a page shows it; its kind is not said again where it stands before it. */
export function Thing({ type, id, isKindSaid = false }: NamedThingProps) {
  const name = useName(id)
  const place = resourcePlace(type, id)
  const shown = type === 'account' ? 'the account' : (name ?? shortName(isKindSaid ? '' : type, id))
  if (place === undefined) return <bdi title={id}>{shown}</bdi>
  return (
    <Link {...place} title={id}>
      <bdi>{shown}</bdi>
    </Link>
  )
}

/** Several things. */
export function Things({ things }: { things: readonly { readonly type: string; readonly id: string }[] }) {
  return things.map(({ type, id }, index) => (
    <span key={id}>
      {index === 0 ? '' : ', '}
      <Thing type={type} id={id} />
    </span>
  ))
}

/** The same as a text. */
export function thingsText(things: readonly { readonly id: string }[]): string {
  return things.map(({ id }) => knownName(id) ?? id).join(', ')
}
