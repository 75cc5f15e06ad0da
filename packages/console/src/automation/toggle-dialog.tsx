/** Pauses and resumes an automation, and deletes it. */
import type { AutomationEstimate } from '@bourse/sdk'
import type { ReactNode } from 'react'
import type { Noun } from '../live/nouns.rules.ts'
import { markOutdated } from '../live/outdate.ts'
import { useAction } from '../live/queries.ts'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { say } from '../ui/toasts.tsx'
import { EstimateView } from './estimate-view.tsx'
import { useEstimate } from './use-estimate.ts'

type ToggleProps = {
  id: string
  name: string
  enabled: boolean
  isOpen: boolean
  onClose: () => void
  change: (body: { enabled: boolean }) => Promise<unknown>
  estimate: (body: { enabled: boolean }) => Promise<AutomationEstimate>
  nouns: readonly Noun[]
  /** What a pause leaves as it is. */
  children: ReactNode
}

/** Asks before a pause, and shows what a resumption would trade. */
export function ToggleDialog(props: ToggleProps) {
  const { id, name, enabled, isOpen, onClose, change, estimate, nouns, children } = props
  const next = useEstimate(`${id} resumed`, isOpen && !enabled ? { enabled: true } : null, estimate)
  const toggle = useAction(() => change({ enabled: !enabled }), {
    nouns,
    onDone: () => {
      say(enabled ? `Paused ${name}.` : `Resumed ${name}.`)
      onClose()
    },
  })
  const verb = enabled ? 'Pause' : 'Resume'
  return (
    <ConfirmDialog
      title={`${verb} ${name}?`}
      action={verb}
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={() => toggle.run(undefined)}
      isBusy={toggle.isRunning}
      error={toggle.error}
      isDangerous={enabled}
    >
      {enabled ? children : <EstimateView {...next} />}
    </ConfirmDialog>
  )
}

type DeleteAutomationProps = {
  name: string
  isOpen: boolean
  onClose: () => void
  remove: () => Promise<unknown>
  onDeleted: () => void
  nouns: readonly Noun[]
  /** What goes with it. */
  children: ReactNode
}

/** Asks before a deletion, by the name. */
export function DeleteDialog({ name, isOpen, onClose, remove, onDeleted, nouns, children }: DeleteAutomationProps) {
  const action = useAction(remove, {
    onDone: () => {
      say(`Deleted ${name}.`)
      markOutdated(nouns)
      onDeleted()
    },
  })
  return (
    <ConfirmDialog
      title={`Delete ${name}?`}
      action="Delete"
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={() => action.run(undefined)}
      isBusy={action.isRunning}
      error={action.error}
      typed={name}
    >
      {children}
    </ConfirmDialog>
  )
}
