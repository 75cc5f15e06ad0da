/** The list of keys. */
import { Dialog } from '../ui/dialog.tsx'
import { createKeys, pageKeys } from './keys.ts'
import styles from './panels.module.css'

type Keys = readonly (readonly [keys: string, meaning: string])[]

const groups: Readonly<Record<string, Keys>> = {
  Anywhere: [
    ['Ctrl K', 'Find pages, resources and actions, or type an order'],
    ['/', 'Go to the search of the page'],
    ['?', 'Show these keys'],
    ['Esc', 'Close what is open'],
  ],
  'In a table': [
    ['j k', 'Next and previous row'],
    ['Enter', 'Open the row'],
    ['x', 'Select the row'],
  ],
  'Go to a page': Object.entries(pageKeys).map(([key, { title }]) => [`g ${key}`, title] as const),
  Create: Object.entries(createKeys).map(([key, { title }]) => [`c ${key}`, title] as const),
}

/** Shows all keys, in groups. */
export function KeysHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keys" isOpen onClose={onClose}>
      <div className={styles.keys}>
        {Object.entries(groups).map(([title, keys]) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl className={styles.group}>
              {keys.map(([key, meaning]) => (
                <div key={key} className={styles.key}>
                  <dt>
                    <kbd>{key}</kbd>
                  </dt>
                  <dd>{meaning}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
