/** Why an instance waits, boots, will end or has ended, and how long it has left. */

import type { Instance, InstanceExplanation, InstanceId } from '@bourse/sdk'
import { durationText } from '@bourse/text/formats/short.ts'
import { hourSeconds } from '@bourse/text/time/units.ts'
import { Link } from '@tanstack/react-router'
import { client } from '../live/client.ts'
import { useNow } from '../live/clock.ts'
import { useRead } from '../live/queries.ts'
import { buttonClass } from '../ui/button.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { Age, Moment } from '../ui/values.tsx'

/** The explanation of the server, in words. Reasons change without an event, so it is read again and again. */
export function InstanceReason({ instance }: { instance: Instance }) {
  const isOver = instance.state === 'terminated'
  const explanation = useRead(
    ['instance', 'explanation', instance.id, instance.state],
    () => client.instances.explain(instance.id),
    isOver ? {} : { every: 5_000 },
  )
  return <Loaded of={explanation}>{(data) => <Explanation instance={instance} data={data} />}</Loaded>
}

function Explanation({ instance, data }: { instance: Instance; data: InstanceExplanation }) {
  const reasons = [...(data.waiting?.reasons ?? []), ...(data.boot?.reasons ?? [])]
  return (
    <div className="stack">
      <p>{data.summary}</p>
      <Ending instance={instance} explanation={data} />
      {reasons.length > 0 ? (
        <ul>
          {reasons.map(({ code, message }) => (
            <li key={code}>
              {message} <span className="quiet small">({code})</span>
            </li>
          ))}
        </ul>
      ) : null}
      {data.waiting ? <Waiting instance={instance} waiting={data.waiting} /> : null}
      {data.connection_lost_at ? (
        <p className="warn">
          Its host has been silent since <Moment at={data.connection_lost_at} />.
        </p>
      ) : null}
      <Relative title="Replaces" id={data.replaces} />
      <Relative title="Replaced by" id={data.replaced_by} />
    </div>
  )
}

type EndingProps = { instance: Instance; explanation: InstanceExplanation }

/** The time that is left, where the end is known; after notice it counts down. */
function Ending({ instance, explanation: { termination } }: EndingProps) {
  const now = useNow()
  if (!termination) return null
  const { deadline_at, ended_at, notice_at, reason } = termination
  const words = reason.replaceAll('_', ' ')
  if (ended_at !== null) {
    return (
      <p>
        Ended <Age at={ended_at} now={now} />: {words}.
      </p>
    )
  }
  if (deadline_at === null) return null
  const left = Math.max(0, deadline_at - now)
  return (
    <div>
      <p className={notice_at === null ? undefined : 'bad'}>
        {notice_at === null ? 'Ends in ' : 'Notice was given. It ends in '}
        <b role="timer" aria-label="Time left" title={new Date(deadline_at * 1000).toISOString()}>
          {durationText(left)}
        </b>
        : {words}. The pool then has {termination.allocation_after} nodes instead of {termination.allocation_before}.
      </p>
      {reason === 'allocation_ended' ? <Extend instance={instance} start={deadline_at} /> : null}
    </div>
  )
}

function Extend({ instance, start }: { instance: Instance; start: number }) {
  const { pool, sku } = instance
  if (!pool) return null
  const minute = Math.ceil(start / 60) * 60
  const search = {
    side: 'buy',
    sku: sku.id,
    pool: pool.id,
    start: `${minute}`,
    end: `${minute + hourSeconds}`,
    nodes: '1',
  }
  return (
    <Link to="/ticket" search={search} className={buttonClass()}>
      Buy the hour after it
    </Link>
  )
}

type WaitingProps = { instance: Instance; waiting: NonNullable<InstanceExplanation['waiting']> }

function Waiting({ instance, waiting }: WaitingProps) {
  const now = useNow()
  const { rank, pool_allocation_now, pool_instances_now, next_allocation_at } = waiting
  return (
    <div>
      <p>
        Number {rank} in the queue. The pool owns {pool_allocation_now} nodes now; {pool_instances_now} are in use.{' '}
        {next_allocation_at === null ? (
          'Nothing that is bought will reach it.'
        ) : (
          <>
            What is bought reaches it <Age at={next_allocation_at} now={now} />.
          </>
        )}
      </p>
      {next_allocation_at === null ? <BuyNow instance={instance} /> : null}
    </div>
  )
}

function BuyNow({ instance: { pool, sku } }: { instance: Instance }) {
  if (!pool) return null
  return (
    <Link to="/ticket" search={{ side: 'buy', sku: sku.id, pool: pool.id, nodes: '1' }} className={buttonClass()}>
      Buy node-hours for it
    </Link>
  )
}

function Relative({ title, id }: { title: string; id: InstanceId | null }) {
  if (id === null) return null
  return (
    <p>
      {title}{' '}
      <Link to="/instances/$id" params={{ id }} className="mono">
        {id}
      </Link>
    </p>
  )
}
