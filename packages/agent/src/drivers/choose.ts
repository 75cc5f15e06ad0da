/** The drivers by name. */
import { hostProblem } from '../problems.ts'
import type { Driver } from './driver.ts'
import { driverNames } from './names.ts'
import { qemuDriver } from './qemu/qemu.ts'
import { simulatedDriver } from './simulated/simulated.ts'

/** The options of a driver. */
export type DriverOptions = {
  readonly name: string
  /** The state directory of the agent. */
  readonly directory: string
  /** Whether to emulate machines if the processor cannot run them. Slow; for trials only. */
  readonly allow_tcg?: boolean | undefined
  /** The address at which SSH of machines is reached. */
  readonly host_address: string
}

/** Creates a driver. */
export function chooseDriver(options: DriverOptions): Driver {
  if (options.name === 'simulated') return simulatedDriver()
  if (options.name === 'qemu') return qemuDriver(options)
  throw hostProblem(`There is no driver ${options.name}. The drivers are ${driverNames.join(', ')}.`)
}
