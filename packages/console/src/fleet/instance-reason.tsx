/** Why an instance waits, boots or has ended, and when it ends: one line for each fact, and what to do about it. */
import type { Instance, InstanceExplanation, InstanceId } from '@bourse/sdk'
import { durationText, moneyText } from '@bourse/text/formats/short.ts'
import { hourSeconds } from '@bourse/text/time/units.ts'
import { Link } from '@tanstack/react-router'
import { client } from '../live/client.ts'
import { useNow } from '../live/clock.ts'
import { useNames } from '../live/names/names.ts'
import { useRead } from '../live/queries.ts'
import { buttonClass } from '../ui/button.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { Age, Moment } from '../ui/values.tsx'
import styles from './fleet.module.css'
import { causeText, endedText, lifeShares, linesOf, needsPurchase } from './reason.rules.ts'
import { useActorNames, useInstanceEvents } from './use-instance-events.ts'

/** The explanation of the server, in words. Reasons change without an event, so it is read again and again. */
export function InstanceReason({ instance }: { instance: Instance }) {
  const isOver = instance.state === 'terminated'
  const explanation = useRead(
    ['instance', 'explanation', instance.id, instance.state],
    () => client.instances.explain(instance.id),
    isOver ? {} : { every: 5_000 },
  )
  return <Loaded of={explanation}>{(data) => <Explanation instance={instance} explanation={data} />}</Loaded>
}

type ExplanationProps = { instance: Instance; explanation: InstanceExplanation }

function Explanation({ instance, explanation }: ExplanationProps) {
  const { waiting, termination, connection_lost_at, replaces, replaced_by } = explanation
  return (
    <>
      {termination ? <Ending instance={instance} termination={termination} /> : null}
      {linesOf(explanation).map((line) => (
        <p key={line}>{line}</p>
      ))}
      {waiting ? <Waiting instance={instance} waiting={waiting} /> : null}
      {connection_lost_at ? (
        <p className="warn">
          Its host has been silent since <Moment at={connection_lost_at} />.
        </p>
      ) : null}
      <Relative title="Replaces" id={replaces} />
      <Relative title="Replaced by" id={replaced_by} />
    </>
  )
}

type EndingProps = { instance: Instance; termination: NonNullable<InstanceExplanation['termination']> }

/** When it ends, how long that is, and what keeps it longer. */
function Ending({ instance, termination }: EndingProps) {
  const { deadline_at, ended_at, notice_at, reason, allocation_after: after } = termination
  if (ended_at !== null) return <Ended instance={instance} at={ended_at} reason={reason} />
  if (deadline_at === null) return null
  const isOfPool = reason === 'allocation_ended' && instance.pool
  return (
    <>
      <div className={styles.ending}>
        <div>
          <p className={notice_at === null ? styles.end : `${styles.end} bad`}>
            Ends <Moment at={deadline_at} /> <TimeLeft at={deadline_at} />
          </p>
          <p>
            {notice_at === null ? '' : 'Notice was given. '}
            {isOfPool ? (
              <>
                Its pool <bdi>{instance.pool?.name}</bdi> then has {after === 0 ? 'no' : after} {nodesOf(after)} of{' '}
                {instance.sku.alias}.
              </>
            ) : (
              causeText(reason)
            )}
          </p>
        </div>
        {isOfPool ? <Extend instance={instance} start={deadline_at} /> : null}
      </div>
      <LifeLine begin={instance.created_at} end={deadline_at} extended={isOfPool ? deadline_at + hourSeconds : 0} />
    </>
  )
}

type EndedProps = { instance: Instance; at: number; reason: string }

/** When it ended, by whom or why. */
function Ended({ instance, at, reason }: EndedProps) {
  const { data: events = [] } = useInstanceEvents(instance)
  const last = events.findLast(({ action }) => action === 'instance.terminated')
  const nameOf = useActorNames(last ? [last] : [])
  return (
    <p>
      <bdi>{endedText(reason, last && nameOf(last))}</bdi> at <Moment at={at} />. {causeText(reason)}
    </p>
  )
}

/** Its time as a line: what has passed, what is left, and what the extension would add. */
function LifeLine(life: { begin: number; end: number; extended: number }) {
  const now = useNow(60)
  const { past, rest, more } = lifeShares({ ...life, extended: Math.max(life.end, life.extended), now })
  return (
    <div className={styles.life} aria-hidden="true">
      <div className={styles.track}>
        <span className={styles.past} style={{ width: `${past}%` }} />
        <span className={styles.rest} style={{ width: `${rest}%` }} />
        {more > 0 ? <span className={styles.more} style={{ width: `${more}%` }} /> : null}
        <span className={styles.now} style={{ left: `${past}%` }} />
      </div>
    </div>
  )
}

function nodesOf(count: number): string {
  return count === 1 ? 'node' : 'nodes'
}

function TimeLeft({ at }: { at: number }) {
  const left = Math.max(0, at - useNow())
  return (
    <span className="quiet">
      in{' '}
      <span role="timer" aria-label="Time left">
        {durationText(left)}
      </span>
    </span>
  )
}

/** Leads to the order that keeps it for another hour, with what that costs now. */
function Extend({ instance: { pool, sku }, start }: { instance: Instance; start: number }) {
  const start_at = Math.ceil(start / 60) * 60
  const { data } = useRead(
    ['estimate', 'extension', sku.id, start_at],
    () =>
      client.orders.createEstimate({
        side: 'buy',
        sku: sku.id,
        start_at,
        duration_seconds: hourSeconds,
        node_count: 1,
      }),
    { every: 30_000, retry: 1 },
  )
  const price = data?.type === 'quoted' && data.total_dollars ? ` for ${moneyText(data.total_dollars)}` : ''
  const search = {
    side: 'buy',
    sku: sku.id,
    pool: pool?.id,
    start: `${start_at}`,
    end: `${start_at + hourSeconds}`,
    nodes: '1',
  }
  return (
    <Link to="/ticket" search={search} className={buttonClass('primary')}>
      Extend 1 h{price}
    </Link>
  )
}

type WaitingProps = { instance: Instance; waiting: NonNullable<InstanceExplanation['waiting']> }

function Waiting({ instance: { pool, sku }, waiting }: WaitingProps) {
  const now = useNow()
  const { rank, pool_allocation_now: owned, pool_instances_now: used, next_allocation_at } = waiting
  // A slot that becomes free by itself is no matter of the queue.
  if (next_allocation_at === null && !needsPurchase(waiting)) return null
  return (
    <>
      <p>
        Number {rank} in the queue. The pool owns {owned} {nodesOf(owned)} now; {used} {used === 1 ? 'is' : 'are'} in
        use.{' '}
        {next_allocation_at === null ? (
          'Nothing that is bought will reach it.'
        ) : (
          <>
            What is bought reaches it <Age at={next_allocation_at} now={now} />.
          </>
        )}
      </p>
      {pool && needsPurchase(waiting) ? (
        <Link to="/ticket" search={{ side: 'buy', sku: sku.id, pool: pool.id, nodes: '1' }} className={buttonClass()}>
          Buy node-hours for it
        </Link>
      ) : null}
    </>
  )
}

/** Another instance of the same place, by its name. */
function Relative({ title, id }: { title: string; id: InstanceId | null }) {
  const nameOf = useNames(id === null ? [] : [id])
  if (id === null) return null
  return (
    <p>
      {title}{' '}
      <Link to="/instances/$id" params={{ id }} title={id}>
        <bdi>{nameOf(id)}</bdi>
      </Link>
    </p>
  )
}
