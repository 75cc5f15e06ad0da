/** The SKUs that have other properties for one account. */

import type { AdministeredAccount, SkuOverride } from '@bourse/sdk'
import { useState } from 'react'
import { putSkuOverride } from '../../generated/forms/operator.ts'
import { client } from '../../live/client.ts'
import { useExample } from '../../live/example.ts'
import { ownColumns } from '../../live/lists/columns.ts'
import { useRead } from '../../live/queries.ts'
import { useAddress } from '../../ui/address.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorText } from '../../ui/error-text.tsx'
import { Empty, Loading } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { usePlatformSkus } from '../across.tsx'
import { skuProperties } from '../sku-parts.tsx'
import { OverrideForm } from './override-form.tsx'
import { type OverriddenProperty, overriddenProperties } from './overrides.rules.ts'

const labels = new Map(skuProperties.map(({ name }) => [name, putSkuOverride.fields[name].label]))

/** The table. Which override is open is part of the address. */
export function Overrides({ account }: { account: AdministeredAccount }) {
  const [{ override: open }, setAddress] = useAddress({ override: '' })
  const read = { every: 60_000 }
  const overrides = useRead(['sku', 'overrides', account.id], () => client.skuOverrides.list(account.id).all(), read)
  const skus = usePlatformSkus()
  const error = overrides.error ?? skus.error
  if (!overrides.data || !skus.data) return error ? <ErrorText error={error} /> : <Loading />
  const rows = overriddenProperties(overrides.data, skus.data, [...labels.keys()])
  const opened = overrides.data.find(({ sku }) => sku.id === open)
  const taken = new Set<string>(overrides.data.map(({ sku }) => sku.id))
  const free = skus.data.filter(({ id, deleted_at }) => deleted_at === undefined && !taken.has(id))
  const close = () => setAddress({ override: '' })
  const add = <Button onClick={() => setAddress({ override: 'new' })}>Override</Button>
  return (
    <div className="stack">
      {rows.length === 0 ? (
        <NoOverride account={account} action={add} />
      ) : (
        <>
          <div className="row">{add}</div>
          <Table
            name="SKU properties"
            columns={columns}
            rows={rows}
            keyOf={({ override, name }) => `${override.sku.id} ${name}`}
            onOpen={({ override }) => setAddress({ override: override.sku.id })}
            note="Open a row to change or remove it."
          />
        </>
      )}
      {open === 'new' ? <OverrideForm key="new" account={account} skus={free} onClose={close} /> : null}
      {opened ? <Opened key={open} account={account} skus={skus.data} override={opened} onClose={close} /> : null}
    </div>
  )
}

type OpenedProps = Parameters<typeof OverrideForm>[0] & { override: SkuOverride }

/** The form of an override. It replaces all of it, so it begins anew when another operator has stored another one. */
function Opened({ override, ...rest }: OpenedProps) {
  const version = JSON.stringify(override.properties)
  const [first] = useState(version)
  return <OverrideForm key={version} override={override} isNewer={version !== first} {...rest} />
}

function NoOverride({ account, action }: { account: AdministeredAccount; action: React.ReactNode }) {
  const sku = useExample('sku')
  return (
    <Empty
      title="Nothing differs"
      action={action}
      command={`bourse sku-overrides put ${account.id} ${sku} --no-supports-public-ipv4`}
    >
      All SKUs have their usual properties for this account. An override shows it other ones, and gives its machines
      less; an account with an override also sees a SKU that is not listed.
    </Empty>
  )
}

const columns = ownColumns<OverriddenProperty>([
  { id: 'sku', title: 'SKU', value: ({ override }) => override.sku.alias },
  { id: 'property', title: 'Property', value: ({ name }) => labels.get(name) },
  { id: 'usual', title: 'Usual', value: ({ usual }) => usual, none: 'not said' },
  { id: 'own', title: 'For this account', value: ({ own }) => own },
  { id: 'updated', title: 'Changed', as: 'moment', value: ({ override }) => override.updated_at, isExtra: true },
])
