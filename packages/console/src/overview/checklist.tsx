/** The first steps of a new account; gone once all are done, or when it is closed. */
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { client } from '../live/client.ts'
import { useRead } from '../live/queries.ts'
import { Button } from '../ui/button.tsx'
import styles from './overview.module.css'

const key = 'bourse.checklist'

/** The card. */
export function Checklist() {
  const [isClosed, setClosed] = useState(() => localStorage.getItem(key) === 'closed')
  const enabled = !isClosed
  const image = useRead(['image', 'any'], () => client.images.list({ limit: 1 }), { enabled })
  const order = useRead(['order', 'any'], () => client.orders.list({ limit: 1 }), { enabled })
  const instance = useRead(['instance', 'any'], () => client.instances.list({ limit: 1 }), { enabled })
  const token = useRead(['token', 'any'], () => client.tokens.list({ kind: 'service', limit: 1 }), { enabled })
  if (isClosed || [image, order, instance, token].some(({ isPending }) => isPending)) return null
  const steps = [
    { text: 'Buy node-hours', to: '/ticket', isDone: has(order.data) },
    { text: 'Have an image to start', to: '/images', isDone: has(image.data) },
    { text: 'Run an instance', to: '/instances', isDone: has(instance.data) },
    { text: 'Create a token for a program', to: '/access', search: { tab: 'tokens' }, isDone: has(token.data) },
  ]
  if (steps.every(({ isDone }) => isDone)) return null
  const close = () => {
    localStorage.setItem(key, 'closed')
    setClosed(true)
  }
  return (
    <section className="card" aria-labelledby="checklist">
      <div className="row">
        <h2 id="checklist">First steps</h2>
        <Button kind="plain" onClick={close}>
          Close
        </Button>
      </div>
      <ol className={styles.steps}>
        {steps.map(({ text, to, search, isDone }) => (
          <li key={text}>
            {isDone ? '✓ ' : '○ '}
            <Link to={to} search={search ?? {}}>
              {text}
            </Link>
            <span className="visually-hidden">{isDone ? ' (done)' : ' (to do)'}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}

function has(list: { readonly data: readonly unknown[] } | undefined): boolean {
  return (list?.data.length ?? 0) > 0
}
