/** Whether the market is open: since when it is halted, by whom and why, and the switch with what it stops. */
import type { MarketHalt } from '@bourse/sdk'
import { countText } from '@bourse/text/formats/short.ts'
import { useState } from 'react'
import { haltMarket } from '../generated/forms/operator.ts'
import { allMax, useAll } from '../live/all.ts'
import { useSkuNames } from '../live/choices.ts'
import { client } from '../live/client.ts'
import { useNow } from '../live/clock.ts'
import { ConfirmOperation } from '../live/forms/confirm.tsx'
import { Fields } from '../live/forms/fields.tsx'
import { FormFrame } from '../live/forms/form-dialog.tsx'
import { useForm } from '../live/forms/use-form.ts'
import { ownColumns } from '../live/lists/columns.ts'
import { LiveAge } from '../live/lists/formats.tsx'
import type { Noun } from '../live/nouns.rules.ts'
import { useRead } from '../live/queries.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { Loading } from '../ui/page.tsx'
import { Table } from '../ui/table.tsx'
import { whoText } from './credits.rules.ts'
import { type HaltScope, skuHaltText, stoppedBy, stoppedOfSku, stoppedText } from './halts.rules.ts'
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
  if (!data) return error ? <ErrorText error={error} /> : <Loading />
  const single = data.halts.filter(({ sku }) => sku !== null)
  return (
    <div className="stack">
      <MarketSwitch halts={data.halts} />
      <div className="row">
        <Button onClick={() => setAsked({ halts: 'sku' })}>Halt one SKU</Button>
      </div>
      {single.length === 0 ? (
        <p className="quiet">No SKU is halted on its own.</p>
      ) : (
        <SkuHalts halts={single} onResume={(halt) => setAsked({ resumes: halt })} />
      )}
      <SwitchDialog asked={asked} onClose={() => setAsked(undefined)} />
    </div>
  )
}

/** Whether the market is open, and the one switch that changes it. */
export function MarketSwitch({ halts }: { halts: readonly OneHalt[] }) {
  const [asked, setAsked] = useState<AskedSwitch>()
  const whole = halts.find(({ sku }) => sku === null)
  return (
    <section className={`card ${styles.market}`} aria-labelledby="market" data-state={whole ? 'halted' : 'open'}>
      <h2 id="market">{whole ? 'The whole market is halted.' : 'The market is open.'}</h2>
      <div>{whole ? <HaltText halt={whole} /> : <Stopping />}</div>
      {whole ? (
        <Button kind="primary" onClick={() => setAsked({ resumes: whole })}>
          Resume the market
        </Button>
      ) : (
        <Button kind="danger" onClick={() => setAsked({ halts: 'market' })}>
          Halt the market
        </Button>
      )}
      <SwitchDialog asked={asked} onClose={() => setAsked(undefined)} />
    </section>
  )
}

function Stopping() {
  const { text, error } = useStopped()
  if (text === undefined) return <ErrorText error={error} />
  return <p className="quiet">A halt stops {text}. What runs goes on.</p>
}

function SwitchDialog({ asked, onClose }: { asked: AskedSwitch | undefined; onClose: () => void }) {
  if (!asked) return null
  if ('halts' in asked) return <HaltDialog scope={asked.halts} onClose={onClose} />
  return <ResumeDialog halt={asked.resumes} onClose={onClose} />
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
  const form = useForm(haltMarket, {
    extras: { word: '' },
    adjust: () => (isWhole ? { sku: 'omitted' } : { sku: 'needed' }),
    check: ({ word }) =>
      isWhole && word !== 'halt' ? { word: 'Type halt, so that nobody does this by mistake.' } : {},
    nouns,
    onDone: onClose,
  })
  return (
    <Dialog title={isWhole ? 'Halt the whole market?' : 'Halt one SKU?'} isOpen onClose={onClose}>
      <FormFrame form={form} action="Halt" isDangerous onClose={onClose}>
        <Fields of={form} names={['sku']} />
        {isWhole ? <MarketConsequences /> : <SkuConsequences sku={form.typed.sku} />}
        <Fields of={form} names={['message', isWhole && { name: 'word', label: 'Type “halt” to go on' }]} />
      </FormFrame>
    </Dialog>
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

const open = { state: ['pending', 'standing', 'partially_filled'], include_managed: true }
const after =
  'New orders are refused with your message, and resting orders stay. Orders can be cancelled. Instances run on.'

/** What a halt of the whole market stops, in numbers. */
export function useStopped() {
  const orders = useAll('list_platform_orders', open)
  const pools = useAll('list_platform_pools', {})
  const isKnown = orders.data !== undefined && pools.data !== undefined
  return {
    error: orders.error ?? pools.error,
    text: isKnown ? stoppedText(stoppedBy(orders.data, pools.data)) : undefined,
    isPart: orders.data?.length === allMax,
  }
}

function MarketConsequences() {
  const { error, text, isPart } = useStopped()
  if (text === undefined) return <ErrorText error={error} />
  return (
    <p>
      It stops {text}. {isPart ? onlySome : ''}
      {after}
    </p>
  )
}

function SkuConsequences({ sku }: { sku: string }) {
  const now = useNow(60)
  const enabled = sku !== ''
  const orders = useAll('list_platform_orders', { ...open, sku }, { enabled })
  const pools = useAll('list_platform_pools', {}, { enabled })
  if (!enabled) return <p className="quiet">Choose a SKU to see what its halt stops.</p>
  if (!orders.data || !pools.data) return <ErrorText error={orders.error ?? pools.error} />
  return (
    <p>
      {skuHaltText(stoppedOfSku(sku, { orders: orders.data, pools: pools.data, now }))}{' '}
      {orders.data.length === allMax ? onlySome : ''}
      {after}
    </p>
  )
}

const onlySome = `Only ${countText(allMax)} orders were counted. `
