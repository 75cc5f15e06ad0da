/** Dialogs: forms, and questions before something that cannot be undone. */
import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { ErrorText } from './error-text.tsx'
import styles from './layer.module.css'

type DialogProps = {
  title: string
  isOpen: boolean
  onClose: () => void
  children: ReactNode
  isWide?: boolean
  /** Whether Escape leaves it open, because what it shows would be lost. */
  isGuarded?: boolean
  /** Whether it stands in the middle of the page. Default: at its side. */
  isMiddle?: boolean
  /** Whether the page beside it can be used while it is open. A narrow screen has no room beside it. */
  isBeside?: boolean
}

const narrow = matchMedia('(max-width: 760px)')

/** A dialog over the page. Escape closes it, and the focus returns to where it was: the browser does that. */
export function Dialog(props: DialogProps) {
  const {
    title,
    isOpen,
    onClose,
    children,
    isWide = false,
    isGuarded = false,
    isMiddle = false,
    isBeside = false,
  } = props
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    if (!isOpen) dialog.current?.close()
    else if (isBeside && !narrow.matches) dialog.current?.show()
    else dialog.current?.showModal()
  }, [isOpen, isBeside])
  // A dialog that leaves the page while it is open would take the focus with it. Its owner has left the page too, so
  // nobody is told: the address is that of another place already.
  const isGone = useRef(false)
  useLayoutEffect(() => {
    const { current } = dialog
    isGone.current = false
    return () => {
      isGone.current = true
      current?.close()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      className={[
        styles.dialog,
        isWide ? styles.wide : '',
        isMiddle ? styles.middle : '',
        isBeside ? styles.beside : '',
      ].join(' ')}
      aria-labelledby={id}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        if (isGuarded) event.preventDefault()
        // The browser closes only what stands before all else.
        else if (isBeside) onClose()
      }}
      // The browser also tells of a dialog that its owner has closed.
      onClose={() => {
        if (isOpen && !isGone.current) onClose()
      }}
    >
      <h2 id={id}>{title}</h2>
      {isOpen ? children : null}
      {isBeside ? (
        <button type="button" className={styles.close} aria-label="Leave the panel" onClick={onClose}>
          ×
        </button>
      ) : null}
    </dialog>
  )
}

/** The buttons at the end of a dialog. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>
}

type ConfirmDialogProps = Omit<DialogProps, 'isWide'> & {
  /** The verb on the button: "Terminate 3 instances". */
  action: string
  /** The word on the button that changes nothing, where "Cancel" would be ambiguous. */
  keep?: string
  onConfirm: () => void
  isBusy?: boolean
  error?: Error | null | undefined
  /** A word to type before the button works, for what takes much with it. */
  typed?: string
  isDangerous?: boolean
}

/** Asks before an action. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const {
    action,
    keep = 'Cancel',
    onConfirm,
    isBusy = false,
    error = null,
    typed,
    isDangerous = true,
    children,
    ...rest
  } = props
  const [text, setText] = useState('')
  const isAllowed = typed === undefined || text === typed
  return (
    <Dialog {...rest}>
      {children}
      {typed === undefined ? null : (
        <label>
          Type <b className="mono">{typed}</b> to go on:{' '}
          <input value={text} onChange={({ target }) => setText(target.value)} autoComplete="off" />
        </label>
      )}
      <ErrorText error={error} />
      <DialogActions>
        <Button onClick={rest.onClose}>{keep}</Button>
        <Button kind={isDangerous ? 'danger' : 'primary'} disabled={!isAllowed} isBusy={isBusy} onClick={onConfirm}>
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
