/** Several views of one thing; which one is shown is part of the address. */

import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'
import styles from './tabs.module.css'

type Tab = { readonly id: string; readonly title: string; readonly content: ReactNode }

/** Tabs. Only the chosen one is drawn. */
export function Tabs({
  tabs,
  value,
  onChange,
}: {
  tabs: readonly Tab[]
  value: string
  onChange: (id: string) => void
}) {
  return (
    <Base.Root value={value} onValueChange={(id) => onChange(String(id))}>
      <Base.List className={styles.list}>
        {tabs.map(({ id, title }) => (
          <Base.Tab key={id} value={id} className={styles.tab}>
            {title}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map(({ id, content }) => (
        <Base.Panel key={id} value={id} className={styles.panel}>
          {content}
        </Base.Panel>
      ))}
    </Base.Root>
  )
}
