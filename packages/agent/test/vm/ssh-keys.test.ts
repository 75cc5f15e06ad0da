/** The keys of the platform in a real guest: they come with the first boot, and go through the guest agent. */
import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { leftOut } from '../../../../test/left-out.ts'
import type { MachineSpec, PlacedKey } from '../../src/drivers/driver.ts'
import { qemuDriver } from '../../src/drivers/qemu/qemu.ts'
import { booting, machinesFolder } from '../support/driver-contract.ts'
import { newSpec } from '../support/new-spec.ts'
import { machineImage } from '../support/tiny-image.ts'

const image = await machineImage()

if (image.missing !== undefined) test('keys open a real guest', leftOut(image.missing), () => {})
else {
  test('keys are put into a guest that runs, and taken out again, and those of the guest stay', () =>
    enterAndLeave(image.path))
}

async function enterAndLeave(tiny: string): Promise<void> {
  const root = machinesFolder()
  const driver = qemuDriver({ directory: root, allow_tcg: true, host_address: '127.0.0.1' })
  await driver.probe()
  const [ada, grace, own] = [newKey(root, 'ada'), newKey(root, 'grace'), newKey(root, 'own')]
  // What the customer has written, without the mark of the platform.
  const userData = Buffer.from(`#cloud-config\nssh_authorized_keys:\n  - ${own.line}\n`)
  const spec: MachineSpec = { ...newSpec(root, tiny), ssh_keys: [ada.key] }
  const enter = async ({ identity }: TestKey) => {
    const endpoint = await driver.endpoints(spec)
    if (!endpoint) return false
    return isOpen(endpoint, identity)
  }
  try {
    await driver.prepare(spec, userData)
    await driver.start(spec, new AbortController().signal)
    const sync = (ssh_keys: PlacedKey[], placed: string[]) =>
      driver.syncKeys({ ...spec, ssh_keys }, { placed, is_settled: false })
    await eventually('the key opens the guest', () => enter(ada), booting)
    assert.equal(await enter(own), true)
    assert.equal(await enter(grace), false)
    // The key of the customer gets a second line, of the platform.
    const all = [ada.key, grace.key, own.key]
    const ids = all.map(({ id }) => id).sort()
    const added = await eventually('the guest agent answers', () => sync(all, [ada.key.id]), booting)
    assert.deepEqual(added, ids)
    assert.equal(await enter(grace), true)
    assert.deepEqual(await sync([grace.key], ids), [grace.key.id])
    assert.deepEqual([await enter(ada), await enter(grace), await enter(own)], [false, true, true])
    assert.deepEqual(await sync([], [grace.key.id]), [])
    assert.deepEqual([await enter(ada), await enter(grace), await enter(own)], [false, false, true])
  } finally {
    await driver.destroy(spec)
    driver.close?.()
  }
}

type TestKey = { readonly identity: string; readonly line: string; readonly key: PlacedKey }

function newKey(root: string, name: string): TestKey {
  const identity = join(root, name)
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', identity])
  const line = readFileSync(`${identity}.pub`, 'utf8').trim()
  const id = `sshk_${name}` as PlacedKey['id']
  return { identity, line, key: { id, public_key: `${line} ${id}` } }
}

/** Whether a private key opens a machine. */
async function isOpen({ hostname, port }: { hostname: string; port: number }, identity: string): Promise<boolean> {
  const options = ['BatchMode=yes', 'IdentitiesOnly=yes', 'StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null']
  const flags = options.flatMap((option) => ['-o', option])
  const words = [...flags, '-i', identity, '-p', String(port), `root@${hostname}`, 'true']
  return promisify(execFile)('ssh', words).then(
    () => true,
    (error: Error & { stderr?: string }) => {
      assert.match(error.stderr ?? '', /Permission denied/)
      return false
    },
  )
}
