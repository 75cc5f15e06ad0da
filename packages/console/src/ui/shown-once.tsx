/** A secret that is shown once. */
import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { CodeLines } from './code-lines.tsx'
import { Dialog, DialogActions } from './dialog.tsx'

type ShownOnceProps = {
  title: string
  /** The secret, in the ways that it is used. The button copies the first one. */
  ways: Readonly<Record<string, string>>
  /** What it is, how long it is valid and where to keep it. */
  children: ReactNode
  onClose: () => void
}

/** The dialog. Only its button closes it, so that nobody loses the secret by a key. */
export function ShownOnce({ title, ways, children, onClose }: ShownOnceProps) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(Object.values(ways)[0] ?? '')
    setCopied(true)
  }
  return (
    <Dialog title={title} isOpen isGuarded onClose={onClose}>
      <div className="stack">
        {children}
        <CodeLines ways={ways} />
        <DialogActions>
          <Button onClick={onClose}>I have copied it</Button>
          <Button kind="primary" onClick={copy}>
            {isCopied ? 'Copied' : 'Copy'}
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  )
}
