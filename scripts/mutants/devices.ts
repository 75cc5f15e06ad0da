import type { Mutant } from './mutant.ts'

const devices = 'packages/agent/src/devices'
const devicesTest = `${devices}/host-devices.test.ts`

/** Devices go to one machine at a time, whole and reset. */
export const deviceMutants: readonly Mutant[] = [
  {
    wrong: 'The bus errors of devices before the start of the agent are forgotten.',
    file: `${devices}/host-devices.ts`,
    text: 'recorded.boot === boot ? recorded.errors : []',
    replacement: 'recorded.boot === boot ? [] : recorded.errors',
    test: devicesTest,
    caught_by: 'bus errors from while no agent ran are seen by the next one',
  },
  {
    wrong: 'What shares the IOMMU group of a device stays with the host.',
    file: `${devices}/claims.rules.ts`,
    text: 'const parts = beside.filter(',
    replacement: 'const parts = passed.filter(',
    test: devicesTest,
    caught_by: 'a machine gets its device with what belongs to it, and gives it back reset',
  },
  {
    wrong: 'A probe machine is expected to see only what the server names.',
    file: `${devices}/verify-slot.ts`,
    text: 'Promise.all(given.map((',
    replacement: 'Promise.all(given.slice(0, (size.devices ?? []).length).map((',
    test: `${devices}/verify-slot.test.ts`,
    caught_by: 'a slot whose accelerator brings its audio output with it is good',
  },
  {
    wrong: 'A device whose change of driver hangs is offered on.',
    file: `${devices}/host-devices.ts`,
    text: 'return bindings.overdue().map(',
    replacement: 'return bindings.overdue().slice(9).map(',
    test: `${devices}/hung-devices.test.ts`,
    caught_by: 'a change of driver that hangs delays no machine with another device',
  },
]
