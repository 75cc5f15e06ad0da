/** The list of keys. */
import { Dialog } from '../ui/dialog.tsx'
import { pageKeys } from './keys.ts'
import styles from './panels.module.css'

const keys: readonly (readonly [keys: string, meaning: string])[] = [
  ['Ctrl K', 'Find pages, resources and actions'],
  ['?', 'Show these keys'],
  ['/', 'Go to the search of the page'],
  ['j k', 'Next and previous row of a table'],
  ['Enter', 'Open the row'],
  ['x', 'Select the row'],
  ['Esc', 'Close what is open'],
  ...Object.entries(pageKeys).map(([key, { title }]) => [`g ${key}`, title] as const),
]

/** Shows all keys. */
export function KeysHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keys" isOpen onClose={onClose}>
      <dl className={styles.keys}>
        {keys.map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
