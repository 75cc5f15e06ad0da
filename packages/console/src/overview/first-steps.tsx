/** The first steps of a person; gone once all are done, or when they are closed. */
import type { Account } from '@bourse/sdk'
import { daySeconds } from '@bourse/text/time/units.ts'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { client } from '../live/client.ts'
import { useAccount } from '../live/clock.ts'
import { useRead } from '../live/queries.ts'
import { Button } from '../ui/button.tsx'
import styles from './home.module.css'
import { doneSteps, firstSteps } from './home.rules.ts'

/** Events of each kind that are looked at. */
const eventsMax = 1_000
const closed = 'closed'

/** The card. What was done stays done: the log of events forgets after some days. */
export function FirstSteps() {
  const { data: account } = useAccount()
  return account ? <Steps account={account} /> : null
}

function Steps({ account }: { account: Account }) {
  const key = `bourse.first-steps.${account.id}.${account.user?.id ?? account.token.id}`
  const [known, setKnown] = useState(() => localStorage.getItem(key) ?? '')
  const isOver = known === closed
  const { data } = useRead(['event', 'first-steps', key], () => readDone(account), { enabled: !isOver, retry: 1 })
  const done = new Set([...known.split(' '), ...(data ?? [])])
  const isAll = firstSteps.every(({ action }) => done.has(action))
  const kept = isAll ? closed : [...done].join(' ').trim()
  useEffect(() => {
    if (data !== undefined) localStorage.setItem(key, kept)
  }, [data, key, kept])
  if (isOver || isAll || data === undefined) return null
  const close = () => {
    localStorage.setItem(key, closed)
    setKnown(closed)
  }
  return (
    <section className={styles.steps} aria-labelledby="first-steps">
      <h2 id="first-steps">First steps</h2>
      <ol>
        {firstSteps.map(({ action, text, to, search }) => (
          <li key={action}>
            <span aria-hidden="true">{done.has(action) ? '✓ ' : '○ '}</span>
            <Link to={to} search={search}>
              {text}
            </Link>
            <span className="visually-hidden">{done.has(action) ? ' (done)' : ' (to do)'}</span>
          </li>
        ))}
      </ol>
      <Button kind="plain" onClick={close}>
        Close
      </Button>
    </section>
  )
}

/** What the sessions of the person did, as far as the log of events goes back. */
async function readDone({ user, token, server }: Account): Promise<string[]> {
  const sessions = await client.tokens.list({ kind: 'session', limit: 200 })
  const ofPerson = sessions.data.filter((one) => user !== null && one.user?.id === user.id)
  const own = new Set<string>([token.id, ...ofPerson.map(({ id }) => id)])
  const since = server.now - 7 * daySeconds
  const logs = await Promise.all(
    firstSteps.map(({ action }) => client.events.list({ action, since, limit: 200 }).all({ max: eventsMax })),
  )
  return doneSteps(logs.flat(), own)
}
