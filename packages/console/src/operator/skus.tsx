/** The SKUs with their properties and fees: what is listed, what is simulated, what is retired. */

import type { AdministeredSku } from '@bourse/sdk'
import { useState } from 'react'
import { platformSkus } from '../generated/rows/operator.ts'
import { ConfirmOperation } from '../live/forms/confirm.tsx'
import { columnsOf } from '../live/lists/columns.ts'
import { Details } from '../live/lists/details.tsx'
import { choiceFilter } from '../live/lists/filters.tsx'
import { ListTab } from '../live/lists/list-page.tsx'
import { useAddress } from '../ui/address.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Catalog } from './catalog.tsx'
import { CreateSkuDialog, EditSkuDialog } from './sku-form.tsx'

const shown = { '': 'On sale', listed: 'Listed', unlisted: 'Not listed', all: 'Also retired' }

/** The list. Which SKU is open is part of the address. */
export function Skus() {
  const [{ open }, setAddress] = useAddress({ open: '' })
  const close = () => setAddress({ open: '' })
  return (
    <ListTab
      name="SKUs"
      operation="list_platform_skus"
      every={60_000}
      columns={columns}
      filters={{ show: choiceFilter('Show', shown) }}
      query={({ show = '' }) => ({
        listed: { listed: true, unlisted: false }[show],
        include_deleted: show === 'all' ? true : undefined,
      })}
      actions={
        <>
          <Button onClick={() => setAddress({ open: 'new' })}>Create a SKU</Button>
          <Button onClick={() => setAddress({ open: 'values' })}>Values of properties</Button>
        </>
      }
      empty={{
        title: 'No SKU',
        command: 'bourse skus create --alias h100-west --accelerator h100 --no-listed',
        text: 'A SKU is a kind of node that can be bought. Hosts are enrolled for one, and orders name one.',
      }}
      opened={(sku) => <EditSkuDialog sku={sku} onClose={close} end={<StateButtons sku={sku} onDone={close} />} />}
    >
      {open === 'new' ? <CreateSkuDialog onDone={({ id }) => setAddress({ open: id })} onClose={close} /> : null}
      {open === 'values' ? <Catalog onClose={close} /> : null}
    </ListTab>
  )
}

const columns = columnsOf(
  platformSkus,
  [
    'alias',
    {
      id: 'state',
      title: 'State',
      value: stateOf,
      cell: (sku) => (
        <>
          <Badge word={stateOf(sku)} tone={stateOf(sku) === 'listed' ? 'good' : 'none'} />{' '}
          {sku.simulated ? <Badge word="simulated" tone="warn" /> : null}
        </>
      ),
    },
    {
      of: 'accelerator',
      title: 'Accelerators',
      cell: ({ accelerator, num_accelerators }) =>
        `${num_accelerators?.display_value ?? 1} × ${accelerator?.display_value}`,
    },
    { of: 'memory_bytes', isNumber: true },
    'region',
    { of: 'fee_bps', title: 'Fee' },
    'flat_fee_dollars_per_node_hour',
  ],
  ['price_step_dollars_per_node_hour'],
)

function stateOf({ deleted_at, listed }: AdministeredSku): string {
  if (deleted_at !== undefined) return 'retired'
  return listed ? 'listed' : 'not listed'
}

function StateButtons(props: { sku: AdministeredSku; onDone: () => void }) {
  return (
    <>
      {props.sku.deleted_at === undefined ? <Listing {...props} /> : null}
      <End {...props} />
    </>
  )
}

/** What buyers see of a SKU. */
const shownToBuyers = columnsOf(platformSkus, [
  'accelerator',
  'num_accelerators',
  'num_vcpus',
  'memory_bytes',
  'local_storage_bytes',
  'rdma_type',
  'region',
  { of: 'fee_bps', title: 'Fee' },
  'flat_fee_dollars_per_node_hour',
  'simulated',
])

/** Lists a SKU after a look at it, or takes it off the market. */
function Listing({ sku, onDone }: { sku: AdministeredSku; onDone: () => void }) {
  const [isAsking, setAsking] = useState(false)
  const { listed, accelerator, num_vcpus, memory_bytes } = sku
  const name = sku.alias || sku.id
  const isBare = !listed && !accelerator && !num_vcpus && !memory_bytes
  return (
    <>
      <Button onClick={() => setAsking(true)}>{listed ? 'Take off the market' : 'List'}</Button>
      {isAsking ? (
        <ConfirmOperation
          operation="update_sku"
          params={{ id: sku.id }}
          input={{ listed: !listed }}
          title={listed ? `Take ${name} off the market?` : `List ${name}?`}
          action={listed ? 'Take off the market' : 'List'}
          isDangerous={listed}
          // What says nothing of its hardware is listed by typing its name.
          {...(isBare ? { typed: name } : {})}
          nouns={['sku']}
          said={listed ? `${name} is not listed.` : `${name} is on the market.`}
          onDone={onDone}
          onClose={() => setAsking(false)}
        >
          {listed ? (
            <p>Only accounts that own some of it, or have an override, see it then. What was sold stays sold.</p>
          ) : (
            <>
              <p>Every buyer sees this at once, and may order it:</p>
              {isBare ? <p className="bad">It says nothing about the hardware of a node.</p> : null}
              <Details columns={shownToBuyers} row={sku} />
            </>
          )}
        </ConfirmOperation>
      ) : null}
    </>
  )
}

/** Retires a SKU, or restores it. */
function End({ sku, onDone }: { sku: AdministeredSku; onDone: () => void }) {
  const [isAsking, setAsking] = useState(false)
  const isRetired = sku.deleted_at !== undefined
  const name = sku.alias || sku.id
  return (
    <>
      <Button kind={isRetired ? 'usual' : 'danger'} onClick={() => setAsking(true)}>
        {isRetired ? 'Restore' : 'Retire'}
      </Button>
      {isAsking ? (
        <ConfirmOperation
          operation={isRetired ? 'restore_sku' : 'retire_sku'}
          params={{ id: sku.id }}
          title={`${isRetired ? 'Restore' : 'Retire'} ${name}?`}
          action={isRetired ? 'Restore' : 'Retire'}
          isDangerous={!isRetired}
          nouns={['sku']}
          said={isRetired ? `${name} can be sold again.` : `${name} is retired.`}
          onDone={onDone}
          onClose={() => setAsking(false)}
        >
          <p>
            {isRetired
              ? 'New orders are taken again. Its alias has to be free.'
              : 'Nothing new starts on it and no order is taken. What was sold stays sold, and instances run on.'}
          </p>
        </ConfirmOperation>
      ) : null}
    </>
  )
}
