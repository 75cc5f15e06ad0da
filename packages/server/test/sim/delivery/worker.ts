/** Lets a replica deliver to the webhooks of a run until nothing is due. Some messages fail, and a replica may die. */
import { createHash } from 'node:crypto'
import { eventually } from '../../../../../test/eventually.ts'
import { monotonicMilliseconds } from '../../../src/core/base/clock.ts'
import { createSeededRandom, type Random } from '../../../src/core/base/random.ts'
import { statement } from '../../../src/core/db/db.ts'
import type { Egress, EgressResponse } from '../../../src/core/egress/egress.ts'
import { startWebhookWorker } from '../../../src/webhooks/webhook-worker.service.ts'
import type { SimReplica } from '../replicas/replicas.ts'
import { count, freeReplica, recordViolation, type SimRun } from '../run.ts'
import { countTaken, type Hook } from './hooks.ts'

const failingPercent = 20
const killPercent = 35
const patience = { usual_seconds: 3, every_milliseconds: 10 }

const readStates = statement<{ id: string; is_due: boolean; counter: number }>(
  'sim.read_hooks',
  `select w.id, coalesce(w.next_attempt_at <= bourse_now(), false) as is_due, c.position as counter
   from webhooks w join event_counters c on c.account_id = w.account_id
   where w.id = any($1)`,
)
/** The lease of a killed replica ends. */
const endLeases = statement<never>('sim.end_leases', 'delete from webhook_workers')

/** Delivers what is due, at one replica, or at another one after it was killed. */
export async function runDeliveries(run: SimRun, hooks: readonly Hook[]): Promise<void> {
  if (hooks.length === 0) return
  const { choices } = run
  const [replica, messages] = [freeReplica(run), choices.integer(4)]
  const kill = choices.chance(killPercent)
    ? { messages, sent: new Set<string>(), held: [], held_at: undefined }
    : undefined
  const before = hooks.reduce((sum, { taken }) => sum + taken.length, 0)
  const wasKilled = await work(run, hooks, { replica, kill })
  if (wasKilled) {
    await run.replicas.revive(replica)
    await run.monitor.database.reader.run(endLeases)
    await work(run, hooks, { replica: freeReplica(run), kill: undefined })
  }
  await run.replicas.untilIdle()
  const taken = hooks.reduce((sum, hook) => sum + hook.taken.length, 0) - before
  count(run, 'delivered events', taken)
  run.log(`webhooks of ${replica.index}${wasKilled ? ', killed' : ''}: ${hooks.map(countTaken).join(' ')}`)
}

/**
 * A death in the middle of deliveries: the messages behind the first few are held until the cursors were saved. A
 * message that is sent again counts once, because it depends on real time whether that happens.
 */
type WorkerKill = {
  readonly messages: number
  readonly sent: Set<string>
  readonly held: (() => void)[]
  held_at: number | undefined
}

async function work(
  run: SimRun,
  hooks: readonly Hook[],
  { replica, kill }: { replica: SimReplica; kill: WorkerKill | undefined },
): Promise<boolean> {
  const { runtime } = replica.server
  // Ids and times of attempts depend on their real order, so they are none of the run's random stream.
  const worker = { ...runtime, random: randomOf(`${run.step} ${replica.index} ${replica.starts}`) }
  const egress = receiverOf(run, hooks, kill)
  const stop = startWebhookWorker(worker, { egress, fault: () => undefined })
  const isHeld = () => {
    const { savedAt } = runtime.services.webhook_share.current
    return kill?.held_at !== undefined && savedAt > kill.held_at
  }
  const delivers = `replica ${replica.index} delivers what is due`
  const failure = await eventually(delivers, () => isHeld() || isDelivered(run, hooks, replica), patience).then(
    () => undefined,
    (error: Error) => error,
  )
  const isKilled = isHeld()
  if (isKilled) replica.sockets.die()
  for (const release of kill?.held ?? []) release()
  await stop()
  if (failure) recordViolation(run, failure.message)
  return isKilled
}

/** Whether a replica has delivered everything that is due. */
async function isDelivered({ monitor }: SimRun, hooks: readonly Hook[], { server }: SimReplica): Promise<boolean> {
  const { queues } = server.runtime.services.webhook_share.current
  const states = await monitor.database.reader.rows(readStates, [hooks.map(({ id }) => id)])
  return states.every(({ id, is_due, counter }) => {
    const queue = queues.get(id)
    if (!queue || is_due) return false
    const { live, due, running } = queue
    return live.read.position >= counter && live.entries.length + due.length + running.size === 0
  })
}

/** A receiver that fails some events for as long as the business clock stands still. */
function receiverOf({ context }: SimRun, hooks: readonly Hook[], kill: WorkerKill | undefined): Egress {
  const post: Egress['post'] = async ({ path }, { body }): Promise<EgressResponse> => {
    const hook = hooks.find((one) => one.path === path)
    // Webhooks of the coverage pass, which nobody waits for.
    if (!hook) return { status: 200, retry_after: undefined }
    const { id, targets } = JSON.parse(String(body)).data
    if (kill && !kill.sent.has(`${path} ${id}`)) {
      if (kill.sent.size >= kill.messages) {
        kill.held_at ??= monotonicMilliseconds()
        await new Promise<void>((release) => void kill.held.push(release))
        return { error: 'connection_failed' }
      }
      kill.sent.add(`${path} ${id}`)
    }
    const sentAt = hook.first_sent_at.get(id) ?? context.now
    hook.first_sent_at.set(id, sentAt)
    const chance = createHash('sha256').update(`${path} ${id}`).digest().readUInt16BE(0) % 100
    if (chance < failingPercent && sentAt === context.now) {
      return chance % 2 === 0 ? { error: 'timeout' } : { status: 500, retry_after: undefined }
    }
    hook.taken.push({ event: id, target: targets[0].id })
    return { status: 200, retry_after: undefined }
  }
  return { post, open: () => 0, close: async () => {} }
}

function randomOf(seed: string): Random {
  return { ...createSeededRandom(seed), integer: (below) => Math.floor(below / 2) }
}
