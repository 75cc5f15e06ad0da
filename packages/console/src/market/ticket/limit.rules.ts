/** The limit of an order for a node-hour, and the same for a GPU-hour. Pure. */
import { parseDollars, printDollars } from '@bourse/text/money.ts'

/** The most that a limit has before and after its point, as the API takes it. */
const price = /^\d{1,9}(\.\d{1,6})?$/

/** Whether a text is a limit. */
export function isLimit(text: string): boolean {
  return price.test(text)
}

/** A limit as people type it: without the zeros behind. */
export function typedLimit(dollars: string): string {
  return dollars.replace(/\.?0+$/, '')
}

/** The limit for a node-hour that is meant by one for a GPU-hour; undefined where the text is none. */
export function limitOfGpu(text: string, gpus: number): string | undefined {
  const micros = isLimit(text) ? parseDollars(text) : undefined
  const limit = micros === undefined ? '' : typedLimit(printDollars(micros * BigInt(gpus)))
  return isLimit(limit) ? limit : undefined
}

/** A limit for a node-hour as one for a GPU-hour, to the nearest of six decimals; empty where it is none. */
export function gpuOfLimit(limit: string, gpus: number): string {
  const micros = isLimit(limit) ? parseDollars(limit) : undefined
  if (micros === undefined) return ''
  const parts = BigInt(gpus)
  return typedLimit(printDollars((micros + parts / 2n) / parts))
}
