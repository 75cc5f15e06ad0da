/** The drivers by their names. */
import { hostProblem } from '../problems.ts'
import type { Driver } from './driver.ts'
import { driverNames } from './names.ts'
import { qemuDriver } from './qemu/qemu.ts'
import { simulatedDriver } from './simulated/simulated.ts'

/** What of a driver its operator may choose. */
export type DriverWish = {
  readonly name: string
  /** Where the agent keeps its state. */
  readonly directory: string
  /** Whether machines may be emulated where the processor cannot run them: for trials, slow. */
  readonly allow_tcg?: boolean | undefined
  /** Under which the secure shells of machines are reached. */
  readonly host_address: string
}

/** Makes a driver. */
export function chooseDriver(wish: DriverWish): Driver {
  if (wish.name === 'simulated') return simulatedDriver()
  if (wish.name === 'qemu') return qemuDriver(wish)
  throw hostProblem(`There is no driver ${wish.name}. There are ${driverNames.join(', ')}.`)
}
