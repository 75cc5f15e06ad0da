/** What an action on an image affects, before it is done. */

import type { ImageId } from '@bourse/sdk'
import { Link } from '@tanstack/react-router'
import { client } from '../live/client.ts'
import { useRead } from '../live/queries.ts'
import { ErrorText } from '../ui/error-text.tsx'
import { Loading } from '../ui/page.tsx'
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

/** What starts from an image. */
export function useAffected(image: ImageId, enabled = true) {
  return useRead(['referrer', 'of-image', image], () => readAffected(image), { enabled, every: 30_000 })
}

/** The list, with what happens to each kind. */
export function AffectedList({ image, action }: { image: ImageId; action: 'revoke' | 'deprecate' | 'reinstate' }) {
  const { data: affected, error } = useAffected(image)
  if (error) return <ErrorText error={error} />
  if (!affected) return <Loading />
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
