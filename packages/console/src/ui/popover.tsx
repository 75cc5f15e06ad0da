/** A button that shows something beside it. */
import { type ReactNode, useId, useState } from 'react'
import { buttonClass } from './button.tsx'
import styles from './layer.module.css'

/** What is inside stays until another place is clicked, or Escape is pressed: the browser does that. */
export function Popover({ label, title, children }: { label: ReactNode; title?: string; children: ReactNode }) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" className={buttonClass('plain')} aria-label={title} popoverTarget={id}>
        {label}
      </button>
      <div
        id={id}
        popover="auto"
        className={styles.popup}
        onBeforeToggle={({ newState }) => setOpen(newState === 'open')}
      >
        {isOpen ? children : null}
      </div>
    </>
  )
}
