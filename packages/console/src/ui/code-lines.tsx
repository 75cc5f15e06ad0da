/** The same action as a program would do it. */
import { useState } from 'react'
import styles from './code-lines.module.css'
import { Copyable } from './values.tsx'

/** Ways to write one request, by name: "CLI", "curl", "SDK". */
export function CodeLines({ ways }: { ways: Readonly<Record<string, string>> }) {
  const names = Object.keys(ways)
  const [chosen, setChosen] = useState(names[0] as string)
  const text = ways[chosen] ?? ''
  return (
    <div className={styles.lines}>
      <div className={styles.ways}>
        {names.map((name) => (
          <button key={name} type="button" aria-pressed={name === chosen} onClick={() => setChosen(name)}>
            {name}
          </button>
        ))}
        <Copyable text={text} label={`as ${chosen}`} />
      </div>
      <pre>{text}</pre>
    </div>
  )
}
