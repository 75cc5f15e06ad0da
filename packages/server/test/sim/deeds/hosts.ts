/** Hosts: their owners cordon, drain and retire them, and let others enrol. Operators tell of work on machines. */
import type { Thing } from '../book.ts'
import {
  type Actor,
  anyActor,
  anyName,
  type Deed,
  given,
  learning,
  maybe,
  maybeKey,
  meant,
  type Plan,
  refTo,
  removal,
  type Scene,
} from '../scene.ts'

const steps = [
  { weight: 30, op: 'cordon_host' },
  { weight: 50, op: 'uncordon_host' },
  { weight: 10, op: 'drain_host' },
  { weight: 10, op: 'retire_host' },
] as const

/** Somebody who has hosts: mostly the platform, whose supply everybody lives on. */
function anyOwner(scene: Scene): Actor {
  return scene.choices.chance(60) ? scene.platform : anyActor(scene)
}

function steer(scene: Scene): Plan | undefined {
  const { choices, book, now } = scene
  const host = meant(scene, anyOwner(scene), 'host')
  if (!host) return undefined
  const { op } = choices.weighted(steps)
  const actor = choices.chance(25) ? scene.platform : (ownerOf(scene, host) ?? scene.platform)
  const deadline_at = now + choices.pick([-60, 0, 30, 60, 700, 3600])
  const body = op === 'drain_host' ? { deadline_at, ...given({ force: maybe(scene, 50, () => true) }) } : undefined
  return {
    ...{ op, actor, params: { id: book.ref(host, choices) }, touches: [host], ...given({ body }) },
    learn: learning(scene, { id: host.account }, 'host'),
  }
}

/** A host that is drained goes for good; where there is none, an empty one is drained for the next time. */
function letGo(scene: Scene): Plan {
  const { choices, platform, now, book } = scene
  const learn = learning(scene, platform, 'host')
  const tell = (op: 'drain_host' | 'retire_host', { id }: { id: string }, body?: object): Plan => {
    const host = book.things.get(id)
    return { op, actor: platform, params: { id }, ...given({ body }), touches: host ? [host] : [], learn }
  }
  const list = (state: string, next: (hosts: any[]) => Plan | undefined): Plan => ({
    ...{ op: 'list_hosts', actor: platform, query: `limit=50&state=${state}&account=${platform.id}` },
    next: ({ status, body }) => (status === 200 ? next(body.data) : undefined),
  })
  const drainOne = () =>
    list('active', (hosts) => {
      const empty = hosts.filter(({ used_slots }) => used_slots === 0)
      return empty.length > 0 ? tell('drain_host', choices.pick(empty), { deadline_at: now, force: true }) : undefined
    })
  return list('drained', ([host]) => (host ? tell('retire_host', host) : drainOne()))
}

function ownerOf({ actors, platform }: Scene, { account }: Thing): Actor | undefined {
  return account === platform.id ? platform : actors.find(({ id }) => id === account)
}

function rename(scene: Scene): Plan | undefined {
  const actor = anyOwner(scene)
  const host = meant(scene, actor, 'host')
  if (!host) return undefined
  const body = given({ name: maybe(scene, 85, () => anyName(scene, 'host', 5)) })
  return {
    ...{ op: 'update_host', actor, params: { id: scene.book.ref(host, scene.choices) }, body, touches: [host] },
    learn: learning(scene, { id: host.account }, 'host'),
  }
}

function permit(scene: Scene): Plan {
  const { choices, world } = scene
  const actor = anyOwner(scene)
  const body = {
    sku: choices.pick(Object.values(world.skus)),
    ...given({
      workspace: maybe(scene, 30, () => refTo(scene, actor, 'workspace')),
      slots: maybe(scene, 50, () => 1 + choices.integer(8)),
      expires_in_seconds: maybe(scene, 60, () => choices.pick([60, 3600, 604_800])),
      uses: maybe(scene, 40, () => 1 + choices.integer(3)),
    }),
  }
  const learn = learning(scene, actor, 'host_enrolment')
  return { op: 'create_host_enrolment', actor, body, key: maybeKey(scene), learn }
}

function announce(scene: Scene): Plan {
  const { choices, now, platform, world } = scene
  const start_at = now - (now % 60) + 60 * choices.integer(90)
  const body = {
    ...{ start_at, end_at: start_at + 60 * choices.pick([10, 60, 300]), title: 'Work', description: 'On the roof.' },
    maintenance_type: choices.pick(['info', 'degraded_performance', 'unavailable']),
    ...given({ sku: maybe(scene, 60, () => [choices.pick(Object.values(world.skus))]) }),
  }
  const learn = learning(scene, platform, 'maintenance_window')
  return { op: 'create_maintenance_window', actor: platform, body, key: maybeKey(scene), learn }
}

export const hostDeeds: readonly Deed[] = [
  { name: 'steer host', weight: 12, plan: steer },
  { name: 'let a host go', weight: 2, plan: letGo },
  { name: 'rename host', weight: 3, plan: rename },
  { name: 'permit host', weight: 4, plan: permit },
  {
    name: 'end permit',
    weight: 2,
    plan: (scene) => removal(scene, 'delete_host_enrolment', 'host_enrolment', { actor: anyOwner(scene) }),
  },
  { name: 'announce work', weight: 3, plan: announce },
  {
    name: 'call work off',
    weight: 3,
    plan: (scene) => removal(scene, 'delete_maintenance_window', 'maintenance_window', { actor: scene.platform }),
  },
]
