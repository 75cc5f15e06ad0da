/** One host: what it reports against its SKU, its slots, and its way out of service. */

import type { Host, HostId } from '@bourse/sdk'
import { hourSeconds } from '@bourse/text/time/units.ts'
import { Link, useParams } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { client } from '../live/client.ts'
import { useNow } from '../live/clock.ts'
import type { Noun } from '../live/nouns.rules.ts'
import { useAction, useItem } from '../live/queries.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog, Dialog, DialogActions } from '../ui/dialog.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { Field } from '../ui/field.tsx'
import { Facts, Loading, Page } from '../ui/page.tsx'
import { say } from '../ui/toasts.tsx'
import { Age, Copyable, Moment } from '../ui/values.tsx'
import { SlotMap } from './hosts.tsx'
import styles from './operator.module.css'

const nouns: readonly Noun[] = ['host', 'pool']

/** The page. */
export function HostPage() {
  const { id } = useParams({ strict: false }) as { id: string }
  const { data: host, error } = useItem('get_host', id)
  return (
    <Page
      title={host?.name ?? id}
      help={<>A host runs instances in its slots. Drain it before it goes: its supply ends, and tenants get notice.</>}
      guide="/docs/concepts/hosts"
    >
      <p>
        <Link to="/operator" search={{ tab: 'hosts' }}>
          All hosts
        </Link>
      </p>
      <ErrorText error={error} />
      {host ? <Shown host={host} /> : error ? null : <Loading />}
    </Page>
  )
}

function Shown({ host }: { host: Host }) {
  const now = useNow()
  const sku = useItem('get_sku', host.sku.id)
  return (
    <>
      <Actions host={host} now={now} />
      <Facts
        facts={[
          ['State', <Badge key="state" word={host.state} />],
          ['Health', <Badge key="health" word={host.health} tone={host.health === 'healthy' ? 'good' : 'bad'} />],
          ['Slots', <SlotMap key="slots" used={host.used_slots} all={host.slots} />],
          ['Last report', host.last_seen_at === null ? '–' : <Age key="seen" at={host.last_seen_at} now={now} />],
          ['Agent', host.agent_version ?? '–'],
          ['Traffic', host.traffic],
          ['Drained by', <Moment key="drain" at={host.drain_deadline_at} />],
          ['Id', <Copyable key="id" text={host.id} />],
          ...(host.health_message ? [['Message', host.health_message] as const] : []),
        ]}
      />
      <div className="grid">
        <section className="card" aria-labelledby="facts">
          <h2 id="facts">What the host reports</h2>
          <pre className={styles.command}>{JSON.stringify(host.facts, null, 2)}</pre>
        </section>
        <section className="card" aria-labelledby="sku">
          <h2 id="sku">What its SKU promises, for each slot</h2>
          <pre className={styles.command}>{JSON.stringify(sku.data ?? {}, null, 2)}</pre>
        </section>
        <section className="card" aria-labelledby="tenants">
          <h2 id="tenants">Instances</h2>
          {host.instances.length === 0 ? <p className="quiet">None.</p> : null}
          <ul>
            {host.instances.map((id) => (
              <li key={id} className="mono">
                {id}
              </li>
            ))}
          </ul>
        </section>
      </div>
    </>
  )
}

function Actions({ host, now }: { host: Host; now: number }) {
  const { id, state } = host
  const [opened, setOpened] = useState<'drain' | 'retire'>()
  const cordon = useAction(() => (state === 'cordoned' ? client.hosts.uncordon(id) : client.hosts.cordon(id)), {
    nouns,
  })
  const retire = useAction(() => client.hosts.retire(id), { nouns, onDone: () => setOpened(undefined) })
  return (
    <div className="row">
      <Button onClick={() => cordon.run(undefined)} isBusy={cordon.isRunning}>
        {state === 'cordoned' ? 'Uncordon' : 'Cordon'}
      </Button>
      <Button onClick={() => setOpened('drain')}>Drain</Button>
      <Button kind="danger" onClick={() => setOpened('retire')}>
        Retire
      </Button>
      <ErrorText error={cordon.error} />
      {opened === 'drain' ? <DrainForm id={id} host={host} now={now} onClose={() => setOpened(undefined)} /> : null}
      <ConfirmDialog
        title={`Retire ${host.name}?`}
        action="Retire"
        typed={host.name}
        isOpen={opened === 'retire'}
        onClose={() => setOpened(undefined)}
        onConfirm={() => retire.run(undefined)}
        isBusy={retire.isRunning}
        error={retire.error}
      >
        <p>It leaves for good. Enrol it anew to use it again.</p>
      </ConfirmDialog>
    </div>
  )
}

type DrainProps = { id: HostId; host: Host; now: number; onClose: () => void }

/** Drains a host. Where nodes after the deadline are sold, the server says which, and the operator may force it. */
function DrainForm({ id, host, now, onClose }: DrainProps) {
  const [hours, setHours] = useState('24')
  const [isForced, setForced] = useState(false)
  const deadline_at = now - (now % 60) + Math.max(0, Math.round(Number(hours) * hourSeconds))
  const drain = useAction(() => client.hosts.drain(id, { deadline_at, ...(isForced ? { force: true } : {}) }), {
    nouns,
    onDone: () => {
      say(`${host.name} drains.`)
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    drain.run(undefined)
  }
  return (
    <Dialog title={`Drain ${host.name}`} isOpen onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <p>
          {host.instances.length === 0
            ? 'No instance runs on it.'
            : `${host.instances.length} instances on it get notice and end by the deadline.`}
        </p>
        <Field label="Hours from now" name="deadline_at" error={drain.error}>
          <input
            type="number"
            min={0}
            step="0.5"
            required
            value={hours}
            onChange={({ target }) => setHours(target.value)}
          />
        </Field>
        <label>
          <input type="checkbox" checked={isForced} onChange={({ target }) => setForced(target.checked)} /> Even if
          nodes after the deadline are sold; they stay sold
        </label>
        <ErrorText error={drain.error} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={drain.isRunning}>
            Drain
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
