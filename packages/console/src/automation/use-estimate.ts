/** Estimates that follow what is typed. */
import { useEffect, useState } from 'react'
import { callWrite, type InputOf } from '../live/forms/writes.ts'
import { useRead } from '../live/queries.ts'
import type { LiveEstimate } from './estimate-view.tsx'

/** The operations that say what an automation would do: a new one, or one that is changed. */
export type EstimateName =
  | 'create_deployment_estimate'
  | 'create_deployment_update_estimate'
  | 'create_procurement_estimate'
  | 'create_procurement_update_estimate'

/** Milliseconds without a change before an estimate is asked for. */
const pause = 250

/** The value after it has stayed the same for a moment. */
function useSettled<T>(value: T): T {
  const text = JSON.stringify(value)
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pause)
    return () => clearTimeout(timer)
  }, [text])
  return JSON.parse(settled) as T
}

/** The estimate of a body; null asks for none. The parameters tell which automation it is of. */
export function useEstimate(operation: EstimateName, params: object, body: object | null): LiveEstimate {
  const settled = useSettled(body)
  const read = () => callWrite<EstimateName>(operation, params, settled as InputOf<EstimateName>)
  const { data, error, isFetching } = useRead(['estimate', operation, params, settled], read, {
    enabled: body !== null && settled !== null,
    every: 15_000,
    keepsLast: true,
    retry: 1,
  })
  return { data, error, isOld: isFetching }
}
