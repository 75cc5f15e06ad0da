/** One host: what it reports against its SKU, its slots, and its way out of service. */

import type { Host, Sku } from '@bourse/sdk'
import { useState } from 'react'
import { platformInstances } from '../generated/rows/operator.ts'
import { client } from '../live/client.ts'
import { columnsOf, ownColumns } from '../live/lists/columns.ts'
import { Details } from '../live/lists/details.tsx'
import { ItemPage } from '../live/lists/item-page.tsx'
import type { Noun } from '../live/nouns.rules.ts'
import { useAction, useItem, useRead } from '../live/queries.ts'
import { hostFacts } from '../operator/hosts.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { Loading } from '../ui/page.tsx'
import { Table } from '../ui/table.tsx'
import { accountColumn } from './across.tsx'
import { DrainForm, RetireDialog } from './dialogs.tsx'
import { type PromisedFact, promisedFacts } from './host-promise.rules.ts'
import styles from './operator.module.css'
import { OperatorsOnly } from './operators-only.tsx'
import { PinButton } from './pin-button.tsx'

const nouns: readonly Noun[] = ['host', 'pool']

/** The page. */
export function HostPage() {
  return (
    <OperatorsOnly>
      <ItemPage
        operation="get_host"
        every={10_000}
        parent={{ to: '/operator', search: { tab: 'hosts' }, title: 'Hosts' }}
        titleOf={({ name }) => name}
        beside={({ state, health }) => (
          <>
            <Badge word={state} />
            {health === 'healthy' ? null : <Badge word={health} tone="bad" />}
          </>
        )}
        help="A host runs instances in its slots. Drain it before it goes: its supply ends, and tenants get notice."
        guide="/docs/concepts/hosts"
        actions={(host) => <Actions host={host} />}
      >
        {(host) => <Shown host={host} />}
      </ItemPage>
    </OperatorsOnly>
  )
}

function Shown({ host }: { host: Host }) {
  const { data: sku } = useItem('get_sku', host.sku.id)
  return (
    <div className={styles.host}>
      <section className="card" aria-label="Properties">
        <h2>What it is</h2>
        <Details columns={hostFacts} row={host} />
      </section>
      <section className={`card ${styles.promise}`} aria-labelledby="promise">
        <h2 id="promise">Does it keep what its SKU promises?</h2>
        {sku ? <KeptPromise host={host} sku={sku} /> : <Loading />}
      </section>
      <section className="card stack" aria-labelledby="runs">
        <h2 id="runs">What it runs</h2>
        <HostInstances of={host} />
        <Raw title="All that the host reports" value={host.facts} />
        <Raw title="All that its SKU says" value={sku} />
      </section>
    </div>
  )
}

/** Its instances by their names, whose they are, and how they are. */
function HostInstances({ of: { instances } }: { of: Host }) {
  const rows = useRead(
    ['instance', 'of host', instances],
    () => client.platformInstances.list({ id: instances, limit: 200 }),
    { enabled: instances.length > 0 },
  )
  if (instances.length === 0) return <p className="quiet">No instance.</p>
  return (
    <Loaded of={rows}>
      {({ data }) => <Table name="Instances" columns={runColumns} rows={data} keyOf={({ id }) => id} />}
    </Loaded>
  )
}

const runColumns = columnsOf(platformInstances, ['name', accountColumn, 'state'], ['id', 'created_at'])

function KeptPromise({ host, sku }: { host: Host; sku: Sku }) {
  const rows = promisedFacts(host, sku)
  const broken = rows.filter(({ is_kept }) => !is_kept).length
  if (rows.length === 0) {
    return (
      <p className="quiet">
        {sku.simulated ? 'Its SKU is simulated: hosts need not have the hardware.' : 'Its SKU names no hardware.'}
      </p>
    )
  }
  return (
    <>
      <p className={broken === 0 ? 'good' : 'bad'} role="status">
        {broken === 0 ? 'Yes, in all of its slots.' : `No: it lacks ${broken} of ${rows.length}.`}
      </p>
      <Table name="Promise and report" columns={promiseColumns} rows={rows} keyOf={({ fact }) => fact} />
    </>
  )
}

const promiseColumns = ownColumns<PromisedFact>([
  { id: 'fact', title: 'Hardware', value: ({ fact }) => fact },
  { id: 'promised', title: 'The SKU promises', value: ({ promised }) => promised },
  { id: 'reported', title: 'The host has', value: ({ reported }) => reported },
  {
    id: 'kept',
    title: 'Kept',
    value: ({ is_kept }) => (is_kept ? 'yes' : 'no'),
    cell: ({ is_kept }) => <Badge word={is_kept ? '✓ kept' : '✗ broken'} tone={is_kept ? 'good' : 'bad'} />,
  },
])

function Raw({ title, value }: { title: string; value: object | undefined }) {
  return (
    <details>
      <summary>{title}</summary>
      <pre className={styles.command}>{JSON.stringify(value ?? {}, null, 2)}</pre>
    </details>
  )
}

function Actions({ host }: { host: Host }) {
  const { id, state } = host
  const [opened, setOpened] = useState<'drain' | 'retire'>()
  const cordon = useAction(() => (state === 'cordoned' ? client.hosts.uncordon(id) : client.hosts.cordon(id)), {
    nouns,
  })
  return (
    <>
      <Button onClick={() => cordon.run(undefined)} isBusy={cordon.isRunning}>
        {state === 'cordoned' ? 'Uncordon' : 'Cordon'}
      </Button>
      <PinButton id={id} isPinned={host.agent_pinned} />
      <Button onClick={() => setOpened('drain')}>Drain</Button>
      <Button kind="danger" onClick={() => setOpened('retire')}>
        Retire
      </Button>
      <ErrorText error={cordon.error} />
      {opened === 'drain' ? <DrainForm host={host} onClose={() => setOpened(undefined)} /> : null}
      {opened === 'retire' ? <RetireDialog host={host} onClose={() => setOpened(undefined)} /> : null}
    </>
  )
}
