/** What an action on an image affects, before it is done. */

import type { ImageId } from '@bourse/sdk'
import { Link } from '@tanstack/react-router'
import { client } from '../live/client.ts'
import { useRead } from '../live/queries.ts'
import { Loaded } from '../ui/loaded.tsx'
import { type Affected, affectedBy, isUnused } from './affected.rules.ts'

/** So many of each kind are looked at. */
const lookedAtMax = 1_000
/** So many of each kind are named. */
const namedMax = 8

async function readAffected(image: ImageId): Promise<Affected> {
  const most = { max: lookedAtMax }
  const state = ['awaiting_allocation', 'running', 'failed'] as const
  const [instances, templates, deployments] = await Promise.all([
    client.instances.list({ image, state, limit: 200 }).all(most),
    client.instanceTemplates.list({ image, limit: 200 }).all(most),
    client.deployments.list({ limit: 200 }).all(most),
  ])
  return affectedBy({ instances, templates, deployments })
}

type AffectingAction = 'revoke' | 'deprecate' | 'reinstate'

/** The list, with what happens to each kind. */
export function AffectedList({ image, action }: { image: ImageId; action: AffectingAction }) {
  const affected = useRead(['referrer', 'of-image', image], () => readAffected(image), { every: 30_000 })
  return <Loaded of={affected}>{(all) => <Kinds affected={all} action={action} />}</Loaded>
}

function Kinds({ affected, action }: { affected: Affected; action: AffectingAction }) {
  if (isUnused(affected)) return <p>Nothing uses this image.</p>
  const { waiting, running, templates, deployments } = affected
  const isRevoked = action === 'revoke'
  return (
    <section aria-label="Affected">
      <Kind
        title="Waiting instances"
        rows={waiting}
        effect={isRevoked ? 'They do not start from it any more.' : 'They start from it.'}
        page="/instances/$id"
      />
      <Kind title="Running instances" rows={running} effect="They run on." page="/instances/$id" />
      <Kind
        title="Templates"
        rows={templates}
        effect={isRevoked ? 'No instance is created from them until the image is reinstated.' : 'They stay usable.'}
      />
      <Kind
        title="Deployments"
        rows={deployments}
        effect={isRevoked ? 'They start no further instance.' : 'They go on.'}
        page="/deployments/$id"
      />
    </section>
  )
}

type KindProps = {
  title: string
  rows: readonly { readonly id: string; readonly name: string }[]
  effect: string
  page?: '/instances/$id' | '/deployments/$id'
}

function Kind({ title, rows, effect, page }: KindProps) {
  if (rows.length === 0) return null
  const count = rows.length >= lookedAtMax ? `${lookedAtMax} or more` : String(rows.length)
  return (
    <>
      <h3>
        {title}: {count}
      </h3>
      <p className="quiet">{effect}</p>
      <ul>
        {rows.slice(0, namedMax).map(({ id, name }) => (
          <li key={id}>
            {page ? (
              <Link to={page} params={{ id }}>
                {name}
              </Link>
            ) : (
              <bdi>{name}</bdi>
            )}
          </li>
        ))}
        {rows.length > namedMax ? <li>and {rows.length - namedMax} more</li> : null}
      </ul>
    </>
  )
}
