import { readdirSync } from 'node:fs'
import { test } from 'vitest'
import { leftOut } from '../../../../test/left-out.ts'
import { isFree, portOf } from '../../src/drivers/qemu/ports.ts'
import { processOf } from '../../src/drivers/qemu/process.ts'
import { spoken, writeBootSector } from '../support/boot-sectors.ts'
import {
  type ContractGuest,
  type GuestKind,
  machinesFolder,
  type Subject,
  testDriver,
} from '../support/driver-contract.ts'
import { openQemu, type QemuMachines } from '../support/qemu-machines.ts'

const { qemu, missing } = await openQemu()
const isUp: Subject['isUp'] = async (spec) => (await processOf(spec)) !== undefined
if (qemu) {
  const { driver, options } = qemu
  testDriver({ driver, options, guest: (kind) => guestOf(qemu, kind), provoke, isUp, left })
} else test('the driver for QEMU', leftOut(missing), () => {})

const panics = Buffer.from('#!/bin/sh\necho c > /proc/sysrq-trigger\n')

/** Tests that need no operating system use a boot sector, because the emulated processor is slow. */
function guestOf({ tiny }: QemuMachines, kind: GuestKind): ContractGuest {
  const sector = (name: Parameters<typeof writeBootSector>[1], says: string) => {
    return { image_file: writeBootSector(machinesFolder(), name), user_data: null, says }
  }
  switch (kind) {
    case 'usual':
      return { image_file: tiny, user_data: null, says: 'boot complete' }
    case 'guest_panicked':
      return { image_file: tiny, user_data: panics, says: '' }
    case 'guest_shutdown':
      return sector('powers_off', spoken)
    case 'crash_loop':
      return sector('resets', '')
    case 'machine_lost':
    case 'deaf':
      return sector('deaf', spoken)
  }
}

async function provoke(...[spec, end]: Parameters<Subject['provoke']>): Promise<void> {
  if (end === 'machine_lost') process.kill((await processOf(spec)) as number, 'SIGKILL')
}

async function left(spec: Parameters<Subject['left']>[0]): Promise<string[]> {
  const kept = ['console.log', 'qemu.err', 'ssh.port']
  const files = readdirSync(spec.directory).filter((name) => !kept.includes(name))
  const pid = await processOf(spec)
  const port = await portOf(spec)
  const isPortFree = await isFree('127.0.0.1', port)
  return [...files, ...(pid ? [`process ${pid}`] : []), ...(isPortFree ? [] : [`port ${port}`])]
}
