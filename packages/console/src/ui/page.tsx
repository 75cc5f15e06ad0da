/** The frame of one page: its heading, what a newcomer has to know, and its actions. */
import { type ReactNode, useEffect } from 'react'
import styles from './page.module.css'
import { Popover } from './popover.tsx'

type PageProps = {
  title: string
  /** What the page shows, in two sentences, behind the question mark. */
  help: ReactNode
  /** The guide or concept that says more, as a path of the server. */
  guide?: string
  actions?: ReactNode
  children: ReactNode
}

/** A page. Its title is also that of the browser's tab. */
export function Page({ title, help, guide, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Bourse`
  }, [title])
  return (
    <div className={styles.page}>
      <div className={styles.heading}>
        <h1>{title}</h1>
        <Popover label="?" title={`About ${title}`}>
          <p>{help}</p>
          {guide ? <a href={guide}>Read more</a> : null}
        </Popover>
        <div className={styles.actions}>{actions}</div>
      </div>
      {children}
    </div>
  )
}

type EmptyProps = { title: string; children: ReactNode; action?: ReactNode; command?: string }

/** What is shown where a list has nothing: what belongs here, one button, and the same as a command. */
export function Empty({ title, children, action, command }: EmptyProps) {
  return (
    <div className={styles.empty}>
      <h2>{title}</h2>
      <p className="quiet">{children}</p>
      {action}
      {command ? <pre className={styles.command}>{command}</pre> : null}
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
