/** Finds pages and resources by a few letters, or a resource by its id. */
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useState } from 'react'
import { client } from '../live/client.ts'
import { useRead } from '../live/queries.ts'
import type { PageAddress } from '../ui/address.ts'
import { Dialog } from '../ui/dialog.tsx'
import { navigation } from './navigation.ts'
import { actions, matching, type PaletteChoice } from './palette.rules.ts'
import styles from './panels.module.css'

/** The palette. Up, down and Enter choose. */
export function Palette({ onClose, isOperator }: { onClose: () => void; isOperator: boolean }) {
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const { data: resources = [] } = useRead(['palette', 'resources'], readResources)
  const pages = navigation
    .flatMap(({ places }) => places)
    .filter(({ isOperators }) => isOperator || !isOperators)
    .map(({ to, title }): PaletteChoice => ({ to, title, kind: 'page' }))
  const found = matching([...pages, ...actions, ...resources], text)
  const go = (choice: PaletteChoice | undefined) => {
    if (!choice) return
    onClose()
    const { to, params = {}, search = {} } = choice
    void navigate({ to, params, search })
  }
  const walk = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setAt((found.length + at + step) % Math.max(1, found.length))
    }
    if (event.key === 'Enter') go(found[at])
  }
  return (
    <Dialog title="Go to" isOpen onClose={onClose}>
      <input
        type="search"
        role="combobox"
        aria-label="Page, resource or action"
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
      <div className={styles.found} id="palette-found" role="listbox" aria-label="Found">
        {found.map((choice, index) => (
          <div
            key={`${choice.kind} ${choice.to} ${choice.title}`}
            id={`palette-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            onMouseDown={() => go(choice)}
            onMouseEnter={() => setAt(index)}
          >
            <span>{choice.title}</span>
            <span className="quiet small">{choice.kind}</span>
          </div>
        ))}
      </div>
    </Dialog>
  )
}

/** The newest resources of each kind; what the person may not list is left out. */
async function readResources(): Promise<PaletteChoice[]> {
  const limit = 100
  const lists = await Promise.allSettled([
    client.instances.list({ limit }).then(({ data }) => data.map((one) => choiceOf('instance', '/instances/$id', one))),
    client.deployments
      .list({ limit })
      .then(({ data }) => data.map((one) => choiceOf('deployment', '/deployments/$id', one))),
    client.images.list({ limit }).then(({ data }) => data.map((one) => choiceOf('image', '/images/$id', one))),
    client.pools.list({ limit }).then(({ data }) => data.map((one) => choiceOf('pool', '/calendar', one))),
    client.skus
      .list({ limit })
      .then(({ data }) =>
        data.map(
          (sku): PaletteChoice => ({ kind: 'SKU', title: sku.alias ?? sku.id, to: '/market', search: { sku: sku.id } }),
        ),
      ),
  ])
  return lists.flatMap((list) => (list.status === 'fulfilled' ? list.value : []))
}

function choiceOf(kind: string, to: PageAddress, { id, name }: { id: string; name: string }): PaletteChoice {
  return { kind, title: name, to, params: { id }, words: id }
}
