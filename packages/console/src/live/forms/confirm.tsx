/** Asks before an operation, and says when it is done. */
import type { Answer, OperationName } from '@bourse/sdk'
import { useNavigate } from '@tanstack/react-router'
import type { PageAddress } from '../../ui/address.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { say } from '../../ui/toasts.tsx'
import type { Noun } from '../nouns.rules.ts'
import { markOutdated } from '../outdate.ts'
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
  /** The page to go to when it is done: this one would ask again for what is gone. */
  leadsTo?: PageAddress
}

/** The dialog. */
export function ConfirmOperation<N extends OperationName>(props: ConfirmProps<N> & PathProps<N>) {
  return <ConfirmAny<N> {...props} />
}

/** The same for operations of which only the whole page knows the path. */
export function ConfirmAny<N extends OperationName>(props: ConfirmProps<N>) {
  const { operation, params, input, nouns, said, onDone, onClose, leadsTo, ...rest } = props
  const navigate = useNavigate()
  const write = useAction(() => callWrite<N>(operation, params, input), {
    nouns: leadsTo === undefined ? nouns : [],
    onDone: (response) => {
      if (said !== undefined) say(said)
      if (leadsTo !== undefined) {
        markOutdated(nouns)
        void navigate({ to: leadsTo })
      } else if (onDone) onDone(response)
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
