/** The machines: what they report, how full they are, and how another one is enrolled. */
import type { CreatedHostEnrolment, Host, SkuId } from '@bourse/sdk'
import { Link, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useSkuChoices } from '../live/choices.ts'
import { client } from '../live/client.ts'
import { useNow } from '../live/clock.ts'
import { useExample } from '../live/example.ts'
import { ListView } from '../live/lists/list-view.tsx'
import { useAction, useList } from '../live/queries.ts'
import { isFiltered, useAddress } from '../ui/address.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { Field } from '../ui/field.tsx'
import { Empty } from '../ui/page.tsx'
import { allOr, Select } from '../ui/select.tsx'
import type { Column } from '../ui/table.tsx'
import { Age, Copyable } from '../ui/values.tsx'
import { AccountFilter, useSkuOptions } from './across.tsx'
import styles from './operator.module.css'

const states = ['active', 'cordoned', 'draining', 'drained', 'retired']
const healths = ['healthy', 'unreachable', 'faulted']

/** The list. */
export function Hosts() {
  const [isNew, setNew] = useState(false)
  const navigate = useNavigate()
  const now = useNow()
  const [address, setAddress] = useAddress({ account: '', state: '', health: '', sku: '' })
  const { account, state, health, sku } = address
  const filters = { account, state, health, sku }
  const list = useList('list_hosts', filters, { every: 10_000 })
  return (
    <div className="stack">
      <div className="row">
        <Button onClick={() => setNew(true)}>Enrol a host</Button>
        <AccountFilter value={account} onChange={(next) => setAddress({ account: next })} />
        <Select label="State" value={state} onChange={(next) => setAddress({ state: next })} options={allOr(states)} />
        <Select
          label="Health"
          value={health}
          onChange={(next) => setAddress({ health: next })}
          options={allOr(healths)}
        />
        <Select label="SKU" value={sku} onChange={(next) => setAddress({ sku: next })} options={useSkuOptions()} />
      </div>
      <ListView
        name="Hosts"
        list={list}
        columns={columnsAt(now)}
        keyOf={({ id }) => id}
        onOpen={({ id }) => void navigate({ to: '/operator/hosts/$id', params: { id } })}
        empty={isFiltered(filters) ? undefined : <NoHost />}
      />
      {isNew ? <EnrolForm onClose={() => setNew(false)} /> : null}
    </div>
  )
}

function NoHost() {
  return (
    <Empty title="No host" command={`bourse host-enrolments create --sku ${useExample('sku')}`}>
      A host is a machine of yours that runs instances. Enrol one to have something to sell.
    </Empty>
  )
}

function columnsAt(now: number): readonly Column<Host>[] {
  return [
    {
      id: 'name',
      title: 'Name',
      value: ({ name }) => name,
      cell: ({ id, name }) => (
        <Link to="/operator/hosts/$id" params={{ id }}>
          {name}
        </Link>
      ),
    },
    { id: 'state', title: 'State', value: ({ state }) => state, cell: ({ state }) => <Badge word={state} /> },
    {
      id: 'health',
      title: 'Health',
      value: ({ health }) => health,
      cell: ({ health }) => <Badge word={health} tone={health === 'healthy' ? 'good' : 'bad'} />,
    },
    { id: 'sku', title: 'SKU', value: ({ sku }) => sku.alias ?? sku.id, cell: ({ sku }) => sku.alias ?? sku.id },
    {
      id: 'slots',
      title: 'Slots',
      value: ({ used_slots }) => used_slots,
      cell: ({ used_slots, slots }) => <SlotMap used={used_slots} all={slots} />,
    },
    {
      id: 'seen',
      title: 'Last report',
      value: ({ last_seen_at }) => last_seen_at,
      cell: ({ last_seen_at }) => (last_seen_at === null ? '–' : <Age at={last_seen_at} now={now} />),
    },
    { id: 'account', title: 'Account', value: ({ account }) => account, cell: ({ account }) => account, isExtra: true },
  ]
}

/** Slots as squares, the used ones filled. */
export function SlotMap({ used, all }: { used: number; all: number }) {
  const shown = Math.min(all, 32)
  return (
    <span className={styles.slots} title={`${used} of ${all} slots are used`}>
      <span className="visually-hidden">
        {used} of {all}
      </span>
      {Array.from({ length: shown }, (_, index) => `slot ${index + 1}`).map((slot, index) => (
        <i key={slot} data-used={index < used} />
      ))}
      {all > shown ? ` ${used}/${all}` : ''}
    </span>
  )
}

function EnrolForm({ onClose }: { onClose: () => void }) {
  const skus = useSkuChoices()
  const [fields, setFields] = useState({ sku: '', slots: '1', uses: '1' })
  const [made, setMade] = useState<CreatedHostEnrolment>()
  const create = useAction(
    () =>
      client.hostEnrolments.create({
        sku: fields.sku as SkuId,
        slots: Number(fields.slots),
        uses: Number(fields.uses),
      }),
    { nouns: ['host'], onDone: setMade },
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.run(undefined)
  }
  const set = (name: keyof typeof fields) => ({
    value: fields[name],
    onChange: ({ target }: { target: { value: string } }) => setFields({ ...fields, [name]: target.value }),
  })
  if (made) {
    return (
      <Dialog title="Run this on the host" isOpen onClose={onClose} isWide>
        <p>It downloads the agent from this server, enrols the host and runs the agent. It is shown once.</p>
        <pre className={styles.command}>{made.command}</pre>
        <DialogActions>
          <Copyable text={made.command} label="the command" />
          <Button onClick={onClose}>Done</Button>
        </DialogActions>
      </Dialog>
    )
  }
  return (
    <Dialog title="Enrol a host" isOpen onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field label="SKU" name="sku" error={create.error} hint="What each slot of the host is sold as">
          <select required {...set('sku')}>
            <option value="">Choose</option>
            {(skus.data ?? []).map(({ id, alias }) => (
              <option key={id} value={id}>
                {alias ?? id}
              </option>
            ))}
          </select>
        </Field>
        <Field label="Slots" name="slots" error={create.error} hint="Nodes of the SKU that each host can run">
          <input type="number" min={1} required {...set('slots')} />
        </Field>
        <Field label="Hosts" name="uses" error={create.error} hint="How many may enrol with the same line">
          <input type="number" min={1} required {...set('uses')} />
        </Field>
        <ErrorText error={create.error ?? skus.error} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={create.isRunning}>
            Make the command
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
