/** The instances and templates that refer to a firewall, a subnet or a partition. */

import type { Instance, InstanceTemplate } from '@bourse/sdk'
import { Link } from '@tanstack/react-router'
import { client } from '../live/client.ts'
import { useRead } from '../live/queries.ts'
import { Loaded } from '../ui/loaded.tsx'

/** The field by which instances and templates refer to a kind. */
export type ReferringField = '_preview_firewall' | 'subnet' | '_preview_infiniband_partition'

/** So many of each kind are looked at. */
const lookedAtMax = 2_000
const namedMax = 10

type NetworkReferrers = { readonly instances: readonly Instance[]; readonly templates: readonly InstanceTemplate[] }

async function readAll(): Promise<NetworkReferrers> {
  const most = { max: lookedAtMax }
  const [instances, templates] = await Promise.all([
    client.instances.list({ state: ['awaiting_allocation', 'running', 'failed'], limit: 200 }).all(most),
    client.instanceTemplates.list({ limit: 200 }).all(most),
  ])
  return { instances, templates }
}

/** What refers to a resource, as a list. */
export function Referrers({ field, id }: { field: ReferringField; id: string }) {
  const all = useRead(['referrer', 'networks'], readAll, { every: 30_000 })
  const refers = (one: Instance | InstanceTemplate) => one[field] === id
  return (
    <Loaded of={all}>
      {({ instances, templates }) => (
        <ReferrerList instances={instances.filter(refers)} templates={templates.filter(refers)} />
      )}
    </Loaded>
  )
}

function ReferrerList({ instances, templates }: NetworkReferrers) {
  if (instances.length + templates.length === 0) return <p className="quiet">Nothing refers to it.</p>
  return (
    <ul>
      {instances.slice(0, namedMax).map((one) => (
        <li key={one.id}>
          instance{' '}
          <Link to="/instances/$id" params={{ id: one.id }}>
            {one.name}
          </Link>
        </li>
      ))}
      {templates.slice(0, namedMax).map((one) => (
        <li key={one.id}>
          template <bdi>{one.name}</bdi>
        </li>
      ))}
      <More count={instances.length + templates.length} shown={2 * namedMax} />
    </ul>
  )
}

function More({ count, shown }: { count: number; shown: number }) {
  return count > shown ? <li>{count} in all</li> : null
}
