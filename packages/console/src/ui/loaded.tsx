/** What is being read: a line until it is there, what went wrong, and what it shows. */
import type { ReactNode } from 'react'
import { ErrorText } from './error-text.tsx'
import { Loading } from './page.tsx'

/** Something that is read, as the cache knows it. */
export type LoadedValue<T> = { readonly data: T | undefined; readonly error: Error | null }

/** The content as soon as there is a value; the last one stays below an error of reading it again. */
export function Loaded<T>({
  of: { data, error },
  children,
}: {
  of: LoadedValue<T>
  children: (value: T) => ReactNode
}) {
  return (
    <>
      <ErrorText error={error} />
      {data !== undefined ? children(data) : error ? null : <Loading />}
    </>
  )
}
