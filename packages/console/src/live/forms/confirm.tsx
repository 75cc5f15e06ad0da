/** Asks before an operation, and says when it is done. */
import type { Answer, OperationName } from '@bourse/sdk'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { say } from '../../ui/toasts.tsx'
import type { Noun } from '../nouns.rules.ts'
import { useAction } from '../queries.ts'
import { callWrite, type InputOf, type PathProps } from './writes.ts'

type ConfirmProps<N extends OperationName> = Omit<
  Parameters<typeof ConfirmDialog>[0],
  'isOpen' | 'onConfirm' | 'isBusy' | 'error'
> & {
  operation: N
  params?: object | undefined
  /** The body, or the query. */
  input?: InputOf<N> | undefined
  nouns: readonly Noun[]
  said?: string
  /** Called when it is done, instead of `onClose`. */
  onDone?: (response: Answer<N>) => void
}

/** The dialog. */
export function ConfirmOperation<N extends OperationName>(props: ConfirmProps<N> & PathProps<N>) {
  return <ConfirmAny<N> {...props} />
}

/** The same for operations of which only the whole page knows the path. */
export function ConfirmAny<N extends OperationName>(props: ConfirmProps<N>) {
  const { operation, params, input, nouns, said, onDone, onClose, ...rest } = props
  const write = useAction(() => callWrite<N>(operation, params, input), {
    nouns,
    onDone: (response) => {
      if (said !== undefined) say(said)
      if (onDone) onDone(response)
      else onClose()
    },
  })
  return (
    <ConfirmDialog
      {...rest}
      isOpen
      onClose={onClose}
      onConfirm={() => write.run(undefined)}
      isBusy={write.isRunning}
      error={write.error}
    />
  )
}
