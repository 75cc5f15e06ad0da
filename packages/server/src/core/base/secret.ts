// A value that must not be seen. Hiding it here does not depend on somebody remembering the name of a field: logs,
// templates, JSON and the inspector all show the placeholder, and the value itself lies in a closure.

import { inspect } from 'node:util'

const PLACEHOLDER = '[secret]'

export interface Secret<T = Buffer> {
  /** The value itself; call it where it is used and keep no other reference. */
  reveal(): T
  toString(): string
  toJSON(): string
}

/** Wraps a value so that printing it in any way shows a placeholder. */
export function hide<T>(value: T): Secret<T> {
  const print = () => PLACEHOLDER
  return Object.freeze({ reveal: () => value, toString: print, toJSON: print, [inspect.custom]: print })
}
