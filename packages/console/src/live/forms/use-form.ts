/** The state of a form: what was typed, what is wrong with it, and the write that it makes. */
import type { Answer } from '@bourse/sdk'
import { useRef, useState } from 'react'
import { useDraft } from '../drafts/use-draft.ts'
import type { Noun } from '../nouns.rules.ts'
import { useAction } from '../queries.ts'
import { emptyOf, type FieldName, type Form, fill, type TypedTexts, typedOf } from './form.rules.ts'
import { callWrite, type InputOf } from './writes.ts'

/** What the operation of a form is sent. */
export type FormBody<F extends Form> = InputOf<F['operation']>

/** What a form is told besides its fields. `E`: fields that are no members of the body. */
export type FormOptions<F extends Form, E extends string = never> = {
  /** The values of the path. */
  readonly params?: object | undefined
  /** The resource that it changes: only what differs from it is sent. */
  readonly before?: object
  /** Texts to begin with. */
  readonly initial?: Readonly<Partial<Record<FieldName<F>, string>>>
  /** Fields that are no members of the body, with the texts to begin with. */
  readonly extras?: Readonly<Record<E, string>>
  /** Members that nobody types. */
  readonly fixed?: Partial<FormBody<F>>
  /** The name under which this tab keeps what was typed. */
  readonly draft?: string
  /** Fields that what was typed makes needed, or that it leaves out: these are neither shown nor sent. */
  readonly adjust?: (typed: TypedTexts) => Readonly<Partial<Record<FieldName<F>, 'needed' | 'omitted'>>>
  /** What is wrong beyond what the contract says, by field. */
  readonly check?: (typed: TypedTexts) => TypedTexts
  /** The last word on what is sent. */
  readonly finish?: (body: Partial<FormBody<F>>, typed: TypedTexts) => object
  readonly nouns: readonly Noun[]
  readonly onDone: (response: Answer<F['operation']>) => void
}

/** A form on a page, with fields of these names. */
export type LiveForm<N extends string = string> = {
  readonly form: Form
  readonly typed: Readonly<Record<N, string>>
  readonly set: (changes: Readonly<Partial<Record<N, string>>>) => void
  /** Whether it changes something that exists. */
  readonly isChange: boolean
  readonly isWrong: boolean
  /** Whether there is something to send, and nothing wrong with it. */
  readonly isReady: boolean
  readonly params: object
  readonly body: Readonly<Record<string, unknown>>
  /** What is wrong with a field, once somebody has left it or tried to send it. */
  readonly problemOf: (name: string) => string | undefined
  readonly leave: (name: string) => void
  readonly submit: () => void
  readonly isRunning: boolean
  readonly error: Error | null
  /** Forgets what was typed. */
  readonly clear: () => void
}

/** The form of an operation. */
export function useForm<const F extends Form, E extends string = never>(
  form: F,
  options: FormOptions<F, E>,
): LiveForm<FieldName<F> | E> {
  const { before, initial, extras, fixed, draft, adjust, check, finish, nouns, params, onDone } = options
  const [began] = useState(() => (before ? typedOf(form, before) : undefined))
  const blank: TypedTexts = { ...blankOf(form), ...began, ...initial, ...extras }
  const [kept, keep, forget] = useDraft<TypedTexts>(draft, blank)
  const [secrets, setSecrets] = useState<TypedTexts>({})
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [isAsked, setAsked] = useState(false)
  const typed = { ...blank, ...kept, ...secrets }
  const adjusted = adjustedBy(form, adjust?.(typed))
  const filled = fill(adjusted, typed, began)
  const plain = { ...filled.body, ...fixed } as Partial<FormBody<F>>
  const body: Record<string, unknown> = { ...(finish ? finish(plain, typed) : plain) }
  // What the page adds by itself does not have to be typed.
  const missed = Object.entries(filled.wrong).filter(([name]) => typed[name] || !(name in body))
  const wrong: TypedTexts = { ...Object.fromEntries(missed), ...check?.(typed) }
  const isEmpty = began !== undefined && Object.keys(body).length === 0
  const isWrong = Object.keys(wrong).length > 0
  const isReady = !isWrong && !isEmpty
  const clear = () => {
    forget()
    setSecrets({})
    setLeft(new Set())
    setAsked(false)
  }
  const write = useSingleWrite(() => callWrite<F['operation']>(form.operation, params, body as FormBody<F>), {
    nouns,
    onDone: (response) => {
      clear()
      onDone(response)
    },
  })
  return {
    form: adjusted,
    typed: typed as LiveForm<FieldName<F> | E>['typed'],
    set: (changes) => {
      const given = Object.entries<string>(changes as TypedTexts)
      const [open, secret] = [false, true].map((isSecret) =>
        Object.fromEntries(given.filter(([name]) => (form.fields[name]?.secret ?? false) === isSecret)),
      ) as [TypedTexts, TypedTexts]
      if (Object.keys(secret).length > 0) setSecrets({ ...secrets, ...secret })
      if (Object.keys(open).length > 0) keep({ ...kept, ...open })
    },
    isChange: began !== undefined,
    isWrong,
    isReady,
    params: params ?? {},
    body,
    problemOf: (name) => (isAsked || left.has(name) ? wrong[name] : undefined),
    leave: (name) => {
      // A field that was only passed by is not wrong yet.
      if (typed[name]) setLeft(new Set([...left, name]))
    },
    submit: () => {
      setAsked(true)
      if (isReady) write.runOnce()
    },
    isRunning: write.isRunning,
    error: write.error,
    clear,
  }
}

/**
 * A write that begins only when the one before has ended. Whether it is at work, a render tells too late for a second
 * submission at the same moment.
 */
function useSingleWrite<Output>(
  send: () => Promise<Output>,
  options: { readonly nouns: readonly Noun[]; readonly onDone: (output: Output) => void },
) {
  const isSending = useRef(false)
  const sendOnce = async () => {
    try {
      return await send()
    } finally {
      isSending.current = false
    }
  }
  const { run, isRunning, error } = useAction<undefined, Output>(sendOnce, options)
  const runOnce = () => {
    if (isSending.current) return
    isSending.current = true
    run(undefined)
  }
  return { runOnce, isRunning, error }
}

/** The form with what is needed besides, and without what is left out. */
function adjustedBy(form: Form, by: Readonly<Partial<Record<string, 'needed' | 'omitted'>>> = {}): Form {
  const kept = Object.entries(form.fields).filter(([name]) => by[name] !== 'omitted')
  const fields = kept.map(([name, field]) => [name, by[name] === 'needed' ? { ...field, required: true } : field])
  return { ...form, fields: Object.fromEntries(fields) }
}

/** Empty texts of all fields, and the defaults of words. */
function blankOf(form: Form): TypedTexts {
  return { ...Object.fromEntries(Object.keys(form.fields).map((name) => [name, ''])), ...emptyOf(form) }
}
