/** One host: what it reports against its SKU, its slots, and its way out of service. */

import type { Host } from '@bourse/sdk'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { client } from '../live/client.ts'
import { ConfirmOperation } from '../live/forms/confirm.tsx'
import { Details } from '../live/lists/details.tsx'
import { ItemPage } from '../live/lists/item-page.tsx'
import type { Noun } from '../live/nouns.rules.ts'
import { useAction, useItem } from '../live/queries.ts'
import { hostFacts } from '../operator/hosts.tsx'
import { Button } from '../ui/button.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { DrainForm } from './dialogs.tsx'
import styles from './operator.module.css'

const nouns: readonly Noun[] = ['host', 'pool']

/** The page. */
export function HostPage() {
  return (
    <ItemPage
      operation="get_host"
      titleOf={({ name }) => name}
      help="A host runs instances in its slots. Drain it before it goes: its supply ends, and tenants get notice."
      guide="/docs/concepts/hosts"
      above={() => (
        <p>
          <Link to="/operator" search={{ tab: 'hosts' }}>
            All hosts
          </Link>
        </p>
      )}
    >
      {(host) => <Shown host={host} />}
    </ItemPage>
  )
}

function Shown({ host }: { host: Host }) {
  const sku = useItem('get_sku', host.sku.id)
  return (
    <>
      <Actions host={host} />
      <Details columns={hostFacts} row={host} />
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

function Actions({ host }: { host: Host }) {
  const { id, state } = host
  const [opened, setOpened] = useState<'drain' | 'retire'>()
  const cordon = useAction(() => (state === 'cordoned' ? client.hosts.uncordon(id) : client.hosts.cordon(id)), {
    nouns,
  })
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
      {opened === 'drain' ? <DrainForm host={host} onClose={() => setOpened(undefined)} /> : null}
      {opened === 'retire' ? (
        <ConfirmOperation
          operation="retire_host"
          params={{ id }}
          title={`Retire ${host.name}?`}
          action="Retire"
          typed={host.name}
          nouns={nouns}
          onClose={() => setOpened(undefined)}
        >
          <p>It leaves for good. Enrol it anew to use it again.</p>
        </ConfirmOperation>
      ) : null}
    </div>
  )
}
