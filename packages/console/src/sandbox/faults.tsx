/** Makes something go wrong, and shows what does. */
import type { CreateFaultBody } from '@bourse/sdk'
import { type FormEvent, useState } from 'react'
import { client } from '../live/client.ts'
import type { Noun } from '../live/nouns.rules.ts'
import { useAction, useRead } from '../live/queries.ts'
import { Button } from '../ui/button.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { Field } from '../ui/field.tsx'
import { faultBody, faultKinds } from './faults.rules.ts'
import styles from './sandbox-bar.module.css'

const nouns: readonly Noun[] = ['fault', 'instance', 'host']

/** The faults that are on, and a form for another one. */
export function Faults() {
  const [kind, setKind] = useState('http_latency')
  const [value, setValue] = useState('')
  const faults = useRead(['fault', 'all'], () => client.faults.list().all(), { every: 5_000 })
  const create = useAction((body: CreateFaultBody) => client.faults.create(body), { nouns })
  const remove = useAction((id: Parameters<typeof client.faults.delete>[0]) => client.faults.delete(id), { nouns })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.run(faultBody(kind, value))
  }
  const { title, hint, asks } = faultKinds[kind] ?? { title: kind, hint: '', asks: undefined }
  return (
    <form className={styles.choices} onSubmit={submit}>
      {(faults.data ?? []).map(({ id, kind: on, hits, active }) => (
        <p key={id}>
          {on.replaceAll('_', ' ')}: {hits} {hits === 1 ? 'hit' : 'hits'}
          {active ? '' : ', over'}{' '}
          <Button kind="plain" onClick={() => remove.run(id)} aria-label={`Remove ${on}`}>
            Remove
          </Button>
        </p>
      ))}
      <Field label="What goes wrong" hint={hint}>
        <select value={kind} onChange={({ target }) => setKind(target.value)}>
          {Object.entries(faultKinds).map(([name, known]) => (
            <option key={name} value={name}>
              {known.title}
            </option>
          ))}
        </select>
      </Field>
      {asks ? (
        <Field label={asks} error={create.error}>
          <input required value={value} onChange={({ target }) => setValue(target.value)} maxLength={64} />
        </Field>
      ) : null}
      <ErrorText error={create.error ?? remove.error} />
      <Button type="submit" isBusy={create.isRunning}>
        {title}
      </Button>
    </form>
  )
}
