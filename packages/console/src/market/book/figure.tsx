/** A drawing with its name, and the same as a table, which also gives it as CSV. */
import { type ReactNode, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import styles from './book.module.css'

type FigureProps = { name: string; tools?: ReactNode; table: ReactNode; legend?: ReactNode; children: ReactNode }

/** The drawing, or the table. */
export function Figure({ name, tools, table, legend, children }: FigureProps) {
  const [isTable, setTable] = useState(false)
  return (
    <figure className={styles.figure} aria-label={name}>
      <figcaption className={styles.caption}>
        <b>{name}</b>
        {tools}
        <Button kind="plain" onClick={() => setTable(!isTable)}>
          {isTable ? 'As a chart' : 'As a table'}
        </Button>
      </figcaption>
      {isTable ? table : children}
      {legend && !isTable ? <p className={styles.legend}>{legend}</p> : null}
    </figure>
  )
}
