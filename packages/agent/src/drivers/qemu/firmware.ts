/** The UEFI firmware of this host: a read-only file for all machines, and a file of variables for each of them. */
import { access, chmod, constants, copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDiskFull, removeAll } from '../../files.ts'
import { startFailure } from '../../problems.ts'
import type { Finding } from '../driver.ts'
import { uefiSubject } from '../names.ts'
import { files } from './command-line.rules.ts'
import type { Firmware } from './firmware.rules.ts'

/** A build of the firmware, and the variables that belong to it. */
type UefiFirmware = { readonly code: string; readonly variables: string }

/** Where distributions install builds without Secure Boot. */
const builds: readonly UefiFirmware[] = [
  { code: '/usr/share/OVMF/OVMF_CODE_4M.fd', variables: '/usr/share/OVMF/OVMF_VARS_4M.fd' },
  { code: '/usr/share/OVMF/OVMF_CODE.fd', variables: '/usr/share/OVMF/OVMF_VARS.fd' },
  { code: '/usr/share/edk2/ovmf/OVMF_CODE.fd', variables: '/usr/share/edk2/ovmf/OVMF_VARS.fd' },
  { code: '/usr/share/edk2/x64/OVMF_CODE.4m.fd', variables: '/usr/share/edk2/x64/OVMF_VARS.4m.fd' },
]

/** Checks whether machines can start by UEFI. `root`: the folder with `usr`; the default is the machine itself. */
export async function findUefi(root = '/'): Promise<Finding> {
  const found = await installed(root)
  if (found) return { subject: uefiSubject, is_good: true, message: found.code }
  const without = 'without it machines with accelerators, and images that boot by UEFI only, do not start'
  const message = `not found; ${without}, package ovmf`
  return { subject: uefiSubject, is_good: false, is_optional: true, message, package: 'ovmf' }
}

/** Gives a machine its own variables if it starts by UEFI. Throws a `StartFailure` if this host has no firmware. */
export async function makeVariables(directory: string, firmware: Firmware, root = '/'): Promise<void> {
  const own = join(directory, files.variables)
  await removeAll(own)
  if (firmware === 'bios') return
  const { variables } = await uefiOf(root)
  await copyFile(variables, own).catch((error) => {
    throw isDiskFull(error) ? startFailure('disk_full', 'The disk of the host is full.') : error
  })
  await chmod(own, 0o600)
}

/** The firmware of a prepared machine: UEFI if it has variables. */
export async function firmwareOf(
  directory: string,
  root = '/',
): Promise<{ readonly name: Firmware; readonly code?: string }> {
  if (!(await isThere(join(directory, files.variables)))) return { name: 'bios' }
  return { name: 'uefi', code: (await uefiOf(root)).code }
}

async function uefiOf(root: string): Promise<UefiFirmware> {
  const found = await installed(root)
  if (found) return found
  const message = 'The machine starts by UEFI, and this host has no firmware for that: install the package ovmf.'
  throw startFailure('uefi_firmware_missing', message)
}

async function installed(root: string): Promise<UefiFirmware | undefined> {
  for (const build of builds) {
    const [code, variables] = [join(root, build.code), join(root, build.variables)]
    if ((await isThere(code)) && (await isThere(variables))) return { code, variables }
  }
  return undefined
}

function isThere(path: string): Promise<boolean> {
  return access(path, constants.R_OK).then(
    () => true,
    () => false,
  )
}
