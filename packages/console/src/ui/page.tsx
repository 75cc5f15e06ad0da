/** The frame of one page: its heading, what a newcomer has to know, and its actions. */
import { Link } from '@tanstack/react-router'
import { createContext, type ReactNode, useContext, useEffect } from 'react'
import type { AddressValues, PageAddress } from './address.ts'
import styles from './page.module.css'
import { Popover } from './popover.tsx'

/** The list that a page is of; `search` where its address alone does not tell which. */
export type PageParent = { readonly to: PageAddress; readonly search?: AddressValues; readonly title: string }

type PageProps = {
  title: string
  /** What the page shows, in two sentences, behind the question mark. */
  help: ReactNode
  /** The guide or concept that says more, as a path of the server. */
  guide: string
  /** The list that it is of, which stands before the title. */
  parent?: PageParent | undefined
  /** What stands behind the title: a state. */
  beside?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

/** The guide of the page, which its empty lists lead to as well. */
const Guide = createContext('')

/** A page. Its title is also that of the browser's tab. */
export function Page({ title, help, guide, parent, beside, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Bourse`
  }, [title])
  return (
    <div className={styles.page}>
      <div className={styles.heading}>
        {parent ? (
          <nav className={styles.parent} aria-label="Place">
            <Link to={parent.to} search={parent.search ?? {}}>
              {parent.title}
            </Link>{' '}
            /
          </nav>
        ) : null}
        <h1>{title}</h1>
        {beside}
        <Popover label="?" title={`About ${title}`}>
          <p>{help}</p>
          <a href={guide}>Read more</a>
        </Popover>
        <div className={styles.actions}>{actions}</div>
      </div>
      <Guide value={guide}>{children}</Guide>
    </div>
  )
}

type EmptyProps = { title: string; children: ReactNode; action?: ReactNode; command?: string }

/**
 * What is shown where a list has nothing: what belongs here and what to do about it, one button, the same as a command,
 * and the guide of the page.
 */
export function Empty({ title, children, action, command }: EmptyProps) {
  const guide = useContext(Guide)
  return (
    <div className={styles.empty}>
      <h2>{title}</h2>
      <p className="quiet">{children}</p>
      {action}
      {command ? <pre className={styles.command}>{command}</pre> : null}
      {guide ? (
        <a className="small" href={guide}>
          Read the guide
        </a>
      ) : null}
    </div>
  )
}

/** A name with its value, in columns. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** A line in the place of what is still being read. */
export function Loading() {
  return (
    <p className="quiet" role="status">
      Loading…
    </p>
  )
}
