// A value that must not be printed. Logs, templates, JSON and the inspector show a placeholder, whatever the name of
// the field, because the value itself is in a closure.

import { inspect } from 'node:util'

const placeholder = '[secret]'

export interface Secret<T = Buffer> {
  /** Returns the value. Call it where the value is used, and keep no reference to the result. */
  reveal(): T
  toString(): string
  toJSON(): string
}

/** Wraps a value so that printing it shows a placeholder. */
export function hide<T>(value: T): Secret<T> {
  const print = () => placeholder
  return Object.freeze({ reveal: () => value, toString: print, toJSON: print, [inspect.custom]: print })
}
