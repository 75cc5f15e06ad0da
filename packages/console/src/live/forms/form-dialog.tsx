/** Dialogs about operations: a form with its fields, what a program would send, what went wrong, and the buttons. */

import type { Answer } from '@bourse/sdk'
import { withInput } from '@bourse/text/shell.ts'
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import { Button } from '../../ui/button.tsx'
import { CodeLines } from '../../ui/code-lines.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { ErrorText } from '../../ui/error-text.tsx'
import { say } from '../../ui/toasts.tsx'
import { type FieldParts, Fields } from './fields.tsx'
import type { FieldName, Form } from './form.rules.ts'
import { linesOf } from './lines.rules.ts'
import { type FormOptions, type LiveForm, useForm } from './use-form.ts'
import { type PathProps, writeOf } from './writes.ts'

type FrameProps = {
  form: LiveForm
  /** The verb on the button: "Create". */
  action: string
  onClose: () => void
  /** Default: "Cancel". */
  cancel?: string
  /** Further buttons, before the others. */
  buttons?: ReactNode
  /** What stands between the fields and the buttons. */
  children: ReactNode
  /** What the command calls the values of the path, where these are not their ids. */
  called?: readonly string[] | undefined
  /** The command, where it says a member otherwise than as JSON. */
  command?: string | undefined
  /** The text that the command reads from its standard input. */
  input?: string | undefined
  isDangerous?: boolean
  /** Whether something that is no field keeps it from being sent. */
  isBlocked?: boolean
  /** Whether the same is shown as a program would send it. */
  hasLines?: boolean
}

/** A form inside a dialog. What is wrong is said at its field after the first attempt to send it. */
export function FormFrame(props: FrameProps) {
  const { form, action, onClose, buttons, children, isDangerous = false, hasLines = true } = props
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    form.submit()
    const { currentTarget } = event
    requestAnimationFrame(() => focusFirstWrong(currentTarget))
  }
  const place = useRef<HTMLFormElement>(null)
  const { error } = form
  useEffect(() => {
    if (error && place.current) focusFirstWrong(place.current)
  }, [error])
  return (
    <form ref={place} className="stack" onSubmit={submit} noValidate>
      {children}
      {hasLines && (form.isReady || !form.isChange) ? (
        <FormLines form={form} input={props.input} called={props.called} command={props.command} />
      ) : null}
      <ErrorText error={error} fields={typedFields(form)} />
      <DialogActions>
        {buttons}
        <Button onClick={onClose}>{props.cancel ?? 'Cancel'}</Button>
        <Button
          type="submit"
          kind={isDangerous ? 'danger' : 'primary'}
          isBusy={form.isRunning}
          disabled={props.isBlocked || (form.isChange && Object.keys(form.body).length === 0)}
        >
          {action}
        </Button>
      </DialogActions>
    </form>
  )
}

/** The fields that say by themselves what is wrong with them: not those of members that the page adds. */
function typedFields({ typed, body }: LiveForm): readonly string[] {
  return Object.keys(typed).filter((name) => typed[name] !== '' || !(name in body))
}

/** The field that has to be corrected first, also where it is folded away. */
function focusFirstWrong(form: HTMLFormElement): void {
  const first = form.querySelector<HTMLElement>('[aria-invalid=true]')
  first?.closest('details')?.setAttribute('open', '')
  first?.focus()
}

type RequestLinesProps = { form: LiveForm } & Pick<FrameProps, 'called' | 'command' | 'input'>

function FormLines({ form: { form, params, body }, input = '', called, command }: RequestLinesProps) {
  const sent = { form, body, ...writeOf(form.operation, params) }
  const { CLI = '', ...others } = linesOf({ ...sent, called: called ?? sent.params }, location.origin)
  return <CodeLines ways={{ CLI: withInput(command ?? CLI, input), ...others }} />
}

/** What the dialog of a form is told. */
export type OperationDialogProps<F extends Form, E extends string = never> = Omit<FormOptions<F, E>, 'onDone'> &
  Omit<FrameProps, 'form' | 'children'> & {
    form: F
    title: string
    fields: FieldParts<FieldName<F> | NoInfer<E>>
    isWide?: boolean
    /** What is said when it is done. */
    said?: (response: Answer<F['operation']>) => string
    /** Called when it is done, instead of `onClose`. */
    onDone?: (response: Answer<F['operation']>) => void
    /** What stands above the fields. */
    about?: ReactNode
    children?: ReactNode
  }

/** A dialog with the form of one operation. */
export function OperationDialog<const F extends Form, E extends string = never>(
  props: OperationDialogProps<F, E> & PathProps<F['operation']>,
) {
  return <AnyOperationDialog<F, E> {...props} />
}

/** The same for forms of which only the whole page knows the path. */
export function AnyOperationDialog<const F extends Form, E extends string = never>(props: OperationDialogProps<F, E>) {
  const { title, isWide = false, onClose } = props
  return (
    <Dialog title={title} isOpen isWide={isWide} onClose={onClose}>
      <OperationForm<F, E> {...props} />
    </Dialog>
  )
}

function OperationForm<const F extends Form, E extends string>(props: OperationDialogProps<F, E>) {
  const { form, fields, said, onDone, onClose, about, isWide, children, title: _, ...rest } = props
  const live = useForm<F, E>(form, {
    ...rest,
    onDone: (response) => {
      if (said) say(said(response))
      if (onDone) onDone(response)
      else onClose()
    },
  })
  const shown = <Fields of={live} names={fields} />
  return (
    <FormFrame {...rest} form={live} onClose={onClose}>
      {about}
      {isWide ? <div className="grid">{shown}</div> : shown}
      {children}
    </FormFrame>
  )
}
