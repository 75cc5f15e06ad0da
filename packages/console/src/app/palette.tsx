/** Finds pages and resources by a few letters, or a resource by its id. */
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { client } from '../live/client.ts'
import { useNow } from '../live/clock.ts'
import { useRead } from '../live/queries.ts'
import { skuName } from '../market/sku.rules.ts'
import type { PageAddress } from '../ui/address.ts'
import { Dialog } from '../ui/dialog.tsx'
import { navigation } from './navigation.ts'
import { operatorPlaces, placeSearch } from './operator-places.ts'
import { actions, choiceKey, matching, type PaletteChoice, pageWords, untyped, withRecent } from './palette.rules.ts'
import { type OrderedSku, orderChoices } from './palette-order.rules.ts'
import styles from './panels.module.css'
import { applyTheme } from './theme.ts'

type PaletteProps = {
  onClose: () => void
  isOperator: boolean
  /** Whose choices are remembered in this browser. */
  person: string
  onPanel: (panel: 'requests' | 'keys') => void
}

/** The palette. Up, down and Enter choose. */
export function Palette({ onClose, isOperator, person, onPanel }: PaletteProps) {
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const [recent, remember] = useRecent(person)
  const { found, problem } = useFound(text, recent, isOperator)
  const go = (choice: PaletteChoice | undefined) => {
    if (!choice) return
    onClose()
    const { to, params = {}, search = {}, does, kind } = choice
    // An order is of its moment.
    if (kind !== 'order') remember(choice)
    if (does === 'requests' || does === 'keys') onPanel(does)
    else if (does) applyTheme(does)
    else void navigate({ to, params, search })
  }
  const walk = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setAt((found.length + at + step) % Math.max(1, found.length))
    }
    if (event.key === 'Enter') {
      // The same key would send the form of the dialog that opens.
      event.preventDefault()
      go(found[at])
    }
  }
  return (
    <Dialog title="Go to" isOpen isMiddle onClose={onClose}>
      <input
        // A search field would take the first Escape for itself.
        type="text"
        role="combobox"
        aria-label="Page, resource or action"
        placeholder="stop lab · billing · dark · 8 h100 tomorrow 9am for 6h under $2.20"
        autoComplete="off"
        aria-expanded="true"
        aria-controls="palette-found"
        aria-activedescendant={found[at] ? `palette-${at}` : undefined}
        value={text}
        onChange={({ target }) => {
          setText(target.value)
          setAt(0)
        }}
        onKeyDown={walk}
        maxLength={100}
        style={{ width: '100%' }}
      />
      <FoundList found={found} at={at} onPoint={setAt} onGo={go} />
      <p className="quiet small" role="status">
        {problem ?? (found.length > 0 ? '' : nothingFits)}
      </p>
    </Dialog>
  )
}

/** What fits the text: orders that it may mean, then what is known. */
function useFound(text: string, recent: readonly PaletteChoice[], isOperator: boolean) {
  const now = useNow()
  const { data = { choices: [], skus: [] } } = useRead(['palette', 'resources'], readResources)
  const pages = navigation
    .flatMap(({ places }) => places)
    .map(({ to, title }): PaletteChoice => ({ to, title, kind: 'page', words: pageWords[to] ?? '' }))
  const desk = operatorPlaces
    .flatMap(({ places }) => places)
    .map(
      (place): PaletteChoice => ({ to: '/operator', title: place.title, kind: 'operator', search: placeSearch(place) }),
    )
  const known = [...(isOperator ? desk : []), ...pages, ...actions, ...data.choices]
  if (text.trim() === '') return { found: untyped(recent, known), problem: undefined }
  const { choices, problem } = orderChoices(text, { now, skus: data.skus })
  return { found: [...choices, ...matching(known, text)], problem }
}

type FoundProps = {
  found: readonly PaletteChoice[]
  at: number
  onPoint: (at: number) => void
  onGo: (choice: PaletteChoice) => void
}

function FoundList({ found, at, onPoint, onGo }: FoundProps) {
  useEffect(() => {
    void document.getElementById(`palette-${at}`)?.scrollIntoView({ block: 'nearest' })
  }, [at])
  return (
    <div className={styles.found} id="palette-found" role="listbox" aria-label="Found">
      {found.map((choice, index) => (
        <div
          key={choiceKey(choice)}
          id={`palette-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === at}
          onMouseDown={() => onGo(choice)}
          onMouseMove={() => onPoint(index)}
        >
          <span>{choice.title}</span>
          <span className="quiet small">{choice.kind}</span>
        </div>
      ))}
    </div>
  )
}

const nothingFits =
  'Nothing fits. Try the name of a page, the name or id of a resource, a verb such as stop or extend, or an order.'

/** What was chosen last by a person in this browser. */
function useRecent(person: string): [readonly PaletteChoice[], (choice: PaletteChoice) => void] {
  const key = `bourse.recent.${person}`
  const [recent] = useState(() => readRecent(key))
  return [recent, (choice) => localStorage.setItem(key, JSON.stringify(withRecent(recent, choice)))]
}

function readRecent(key: string): readonly PaletteChoice[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(kept) ? kept : []
  } catch {
    return []
  }
}

type Resources = { readonly choices: readonly PaletteChoice[]; readonly skus: readonly OrderedSku[] }

/** The newest resources of each kind; what the person may not list is left out. */
async function readResources(): Promise<Resources> {
  const limit = 100
  const skus: OrderedSku[] = []
  const lists = await Promise.allSettled([
    client.instances.list({ limit }).then(({ data }) => data.map((one) => choiceOf('instance', '/instances/$id', one))),
    client.deployments
      .list({ limit })
      .then(({ data }) => data.map((one) => choiceOf('deployment', '/deployments/$id', one))),
    client.images.list({ limit }).then(({ data }) => data.map((one) => choiceOf('image', '/images/$id', one))),
    client.pools.list({ limit }).then(({ data }) => data.map((one) => openedAt('pool', '/pools', one))),
    client.instanceTemplates
      .list({ limit })
      .then(({ data }) => data.map((one) => openedAt('template', '/templates', one))),
    client.skus.list({ limit }).then(({ data }) =>
      data.map((sku): PaletteChoice => {
        const name = skuName(sku)
        skus.push({ id: sku.id, name, accelerators: sku.accelerator ? (sku.num_accelerators?.value ?? 1) : 0 })
        return { kind: 'SKU', title: name, to: '/', search: { sku: sku.id }, words: sku.id }
      }),
    ),
  ])
  return { choices: lists.flatMap((list) => (list.status === 'fulfilled' ? list.value : [])), skus }
}

function choiceOf(kind: string, to: PageAddress, { id, name }: { id: string; name: string }): PaletteChoice {
  const verbs = kind === 'instance' ? 'stop terminate replace ssh log extend' : 'edit delete'
  return { kind, title: name, to, params: { id }, words: `${id} ${kind} ${verbs}` }
}

/** A resource that opens above the list of its kind. */
function openedAt(kind: string, to: PageAddress, { id, name }: { id: string; name: string }): PaletteChoice {
  return { kind, title: name, to, search: { open: id }, words: `${id} ${kind} rename delete` }
}
