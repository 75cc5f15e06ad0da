/** The devices of this machine, for the agent that runs on it. */
import type { Driver } from '../drivers/driver.ts'
import { openDeviceTree } from './device-tree.ts'
import { type DeviceOptions, type HostDevices, openHostDevices } from './host-devices.ts'

/** Opens the devices of this machine; undefined if its driver gives machines none. */
export async function devicesOfHost({
  directory,
  driver,
  log,
}: Pick<DeviceOptions, 'directory' | 'log'> & { readonly driver: Driver }): Promise<HostDevices | undefined> {
  const { ownerOf } = driver
  if (!ownerOf || !driver.gives_devices) return undefined
  return openHostDevices({ directory, tree: openDeviceTree('/'), ownerOf, log })
}
