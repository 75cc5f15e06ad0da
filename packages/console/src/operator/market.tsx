/** Whether the market is open: since when it is halted, by whom and why, and the switch with what it stops. */
import type { MarketHalt } from '@bourse/sdk'
import { countText } from '@bourse/text/formats/short.ts'
import { useState } from 'react'
import { haltMarket } from '../generated/forms/operator.ts'
import { allMax, useAll } from '../live/all.ts'
import { useSkuNames } from '../live/choices.ts'
import { client } from '../live/client.ts'
import { ConfirmOperation } from '../live/forms/confirm.tsx'
import { OperationDialog } from '../live/forms/form-dialog.tsx'
import { ownColumns } from '../live/lists/columns.ts'
import { LiveAge } from '../live/lists/formats.tsx'
import type { Noun } from '../live/nouns.rules.ts'
import { useRead } from '../live/queries.ts'
import { Button } from '../ui/button.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { Loading } from '../ui/page.tsx'
import { Table } from '../ui/table.tsx'
import { whoText } from './credits.rules.ts'
import { type HaltScope, stoppedBy, stoppedText } from './halts.rules.ts'
import styles from './operator.module.css'

type OneHalt = MarketHalt['halts'][number]

const nouns: readonly Noun[] = ['orderbook', 'order']

/** What of the market is halted. No event tells of a halt, so it is read again at its own pace. */
export function useHalts() {
  return useRead(['orderbook', 'halts'], () => client.marketHalt.get(), { every: 10_000 })
}

/** The switch that is asked about: halting the whole market or one SKU, or resuming what a halt has stopped. */
type AskedSwitch = { readonly halts: HaltScope } | { readonly resumes: OneHalt }

/** The page. */
export function Market() {
  const { data, error } = useHalts()
  const [asked, setAsked] = useState<AskedSwitch>()
  const close = () => setAsked(undefined)
  if (!data) return error ? <ErrorText error={error} /> : <Loading />
  const whole = data.halts.find(({ sku }) => sku === null)
  const single = data.halts.filter(({ sku }) => sku !== null)
  return (
    <div className="stack">
      <section className={`card ${styles.market}`} aria-labelledby="market" data-state={whole ? 'halted' : 'open'}>
        <div>
          <h2 id="market">{whole ? 'The whole market is halted.' : 'The market is open.'}</h2>
          {whole ? <HaltText halt={whole} /> : null}
        </div>
        {whole ? (
          <Button kind="primary" onClick={() => setAsked({ resumes: whole })}>
            Resume the market
          </Button>
        ) : (
          <Button kind="danger" onClick={() => setAsked({ halts: 'market' })}>
            Halt the market
          </Button>
        )}
      </section>
      <div className="row">
        <Button onClick={() => setAsked({ halts: 'sku' })}>Halt one SKU</Button>
      </div>
      {single.length === 0 ? (
        <p className="quiet">No SKU is halted on its own.</p>
      ) : (
        <SkuHalts halts={single} onResume={(halt) => setAsked({ resumes: halt })} />
      )}
      {asked && 'halts' in asked ? <HaltDialog scope={asked.halts} onClose={close} /> : null}
      {asked && 'resumes' in asked ? <ResumeDialog halt={asked.resumes} onClose={close} /> : null}
    </div>
  )
}

/** Since when, by whom and why. */
export function HaltText({ halt: { halted_at, halted_by, message } }: { halt: OneHalt }) {
  return (
    <p>
      {halted_at === null ? 'It is not recorded since when' : <LiveAge at={halted_at} />}
      {halted_by === null ? '' : `, by ${whoText(halted_by)}`}
      {message === null ? (
        '. Without a message.'
      ) : (
        <>
          : “<bdi>{message}</bdi>”
        </>
      )}
    </p>
  )
}

function SkuHalts({ halts, onResume }: { halts: readonly OneHalt[]; onResume: (halt: OneHalt) => void }) {
  const names = useSkuNames()
  const columns = ownColumns<OneHalt>([
    { id: 'sku', title: 'SKU', value: ({ sku }) => names(sku) },
    { id: 'since', title: 'Halted', as: 'age', value: ({ halted_at }) => halted_at },
    { id: 'by', title: 'By', value: ({ halted_by }) => whoText(halted_by) },
    { id: 'message', title: 'Message', value: ({ message }) => message },
    {
      id: 'actions',
      title: 'Actions',
      cell: (halt) => (
        <Button kind="plain" onClick={() => onResume(halt)} aria-label={`Resume ${names(halt.sku)}`}>
          Resume
        </Button>
      ),
    },
  ])
  return <Table name="Halted SKUs" columns={columns} rows={halts} keyOf={({ sku }) => String(sku)} />
}

/** Asks for the message. The whole market is halted by typing the word. */
function HaltDialog({ scope, onClose }: { scope: HaltScope; onClose: () => void }) {
  const isWhole = scope === 'market'
  return (
    <OperationDialog
      form={haltMarket}
      title={isWhole ? 'Halt the whole market?' : 'Halt one SKU?'}
      action="Halt"
      isDangerous
      about={<Consequences scope={scope} />}
      extras={{ word: '' }}
      adjust={() => (isWhole ? { sku: 'omitted' } : { sku: 'needed' })}
      fields={['sku', 'message', isWhole && { name: 'word', label: 'Type “halt” to go on' }]}
      check={({ word }) =>
        isWhole && word !== 'halt' ? { word: 'Type halt, so that nobody does this by mistake.' } : {}
      }
      nouns={nouns}
      onClose={onClose}
    />
  )
}

function ResumeDialog({ halt: { sku }, onClose }: { halt: OneHalt; onClose: () => void }) {
  const names = useSkuNames()
  const name = sku === null ? 'the whole market' : names(sku)
  return (
    <ConfirmOperation
      operation="resume_market"
      input={sku === null ? {} : { sku }}
      title={`Resume ${name}?`}
      action="Resume"
      isDangerous={false}
      nouns={nouns}
      onClose={onClose}
    >
      <p>Orders are taken again, and resting orders that can be filled by now are filled at once.</p>
    </ConfirmOperation>
  )
}

/** What a halt stops, in numbers. */
function Consequences({ scope }: { scope: HaltScope }) {
  const orders = useAll('list_platform_orders', {
    state: ['pending', 'standing', 'partially_filled'],
    include_managed: true,
  })
  const pools = useAll('list_platform_pools', {})
  if (!orders.data || !pools.data) return <ErrorText error={orders.error ?? pools.error} />
  const counted = stoppedBy(orders.data, pools.data)
  return (
    <p>
      {scope === 'market' ? `It stops ${stoppedText(counted)}. ` : 'It stops all orders of the SKU. '}
      {orders.data.length === allMax ? `Only ${countText(allMax)} orders were counted. ` : ''}
      New orders are refused with your message, and resting orders stay. Orders can be cancelled. Instances run on.
    </p>
  )
}
