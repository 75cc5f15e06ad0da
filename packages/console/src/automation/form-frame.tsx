/** The frame of a form about an automation: its fields, what it would do, the same as a program, and the buttons. */
import type { AutomationEstimate } from '@bourse/sdk'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { CodeLines } from '../ui/code-lines.tsx'
import { DialogActions } from '../ui/dialog.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { asCli, asCurl, asSdk } from '../ui/requests.rules.ts'
import { type Asked, flagsOf } from './automation.rules.ts'
import { EstimateView } from './estimate-view.tsx'
import { useEstimate } from './use-estimate.ts'

type Body = Readonly<Record<string, unknown>>

type FrameProps<F extends string> = {
  /** What the estimate is about: the id of what is changed, or that it is new. */
  about: string
  /** The body as typed. For a change, only what differs. */
  asked: Asked<F>
  estimate: (body: Body) => Promise<AutomationEstimate>
  onSave: (body: Body) => void
  onClose: () => void
  isSaving: boolean
  error: Error | null
  verb: string
  /** How a program sends the body: the command, the request and the call. */
  program: { command: string; method: 'POST' | 'PATCH'; path: string; call: string; id?: string }
  fields: (problemOf: (name: F) => string | undefined) => ReactNode
}

/** The form. Problems of fields are told after the first attempt to save. */
export function FormFrame<F extends string>(props: FrameProps<F>) {
  const { about, asked, estimate, onSave, onClose, isSaving, error, verb, program, fields } = props
  const [isAsked, setAsked] = useState(false)
  const body = 'body' in asked ? asked.body : null
  const isEmpty = body !== null && Object.keys(body).length === 0
  // What is being saved exists a moment later, and an estimate of a second one would be refused.
  const next = useEstimate(about, isSaving ? null : body, estimate)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setAsked(true)
    if (body !== null && !isEmpty) onSave(body)
  }
  return (
    <form className="stack" onSubmit={submit} noValidate>
      {fields((name) => (isAsked && 'wrong' in asked && asked.wrong === name ? asked.message : undefined))}
      {body === null ? (
        <p className="quiet">Fill in the form to see what it would buy and sell, and the most that it can cost.</p>
      ) : (
        <section className="card" aria-label="Preview">
          <h3>{isEmpty ? 'As it is now' : 'With this'}</h3>
          <EstimateView {...next} />
        </section>
      )}
      {body === null || isEmpty ? null : <CodeLines ways={waysOf(program, body)} />}
      <ErrorText error={error} />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" kind="primary" isBusy={isSaving} disabled={isEmpty}>
          {verb}
        </Button>
      </DialogActions>
    </form>
  )
}

function waysOf({ command, method, path, call, id }: FrameProps<string>['program'], body: Body) {
  const sdk = asSdk(call, body)
  return {
    CLI: asCli(command, { ...flagsOf(body), yes: true }),
    curl: asCurl({ method, path, body }, location.origin),
    SDK: id === undefined ? sdk : sdk.replace('(', `(${JSON.stringify(id)}, `),
  }
}
