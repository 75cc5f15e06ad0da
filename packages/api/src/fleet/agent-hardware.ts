/** The part of the agent protocol in which a host says what it is made of. */
import { hourSeconds } from '@bourse/text/time/units.ts'
import { endpoint } from '../kit/endpoint.ts'
import { array, boolean, integer, openObject, openResource, text } from '../kit/schema.ts'
import { hardwareBytesMax, hostHardware } from './hardware.ts'

export const area = 'agent protocol'

/** The highest generation and epoch of an agent: the server raises its own above it, by one each time. */
export const generationMax = 2 ** 52
/** Which enrolment of its host an agent has. */
export const epoch = integer({
  min: 1,
  max: generationMax,
  description: 'Epoch of the enrolment of the agent. An older one than that of the host is refused.',
})
/** Seconds between two reads of the hardware of a host. */
export const factsEverySeconds = hourSeconds

export const reportHardware = endpoint({
  name: 'report_hardware',
  method: 'PUT',
  path: '/agent/v1/hardware',
  area,
  summary: 'Report the hardware',
  description:
    'Hands over the hardware of the host: at each start of the agent, and once an hour. A change emits ' +
    '`host.facts_changed`. A host that no longer fits its SKU becomes `faulted` until it fits again. Safe to ' +
    'repeat.',
  success: 200,
  body: openObject({ epoch, hardware: hostHardware }),
  body_bytes_max: hardwareBytesMax + 1024,
  response: openResource('ReportedHardware', 'The response to a report of hardware.', {
    fits: boolean({ description: 'Whether the host fits its SKU.' }),
    problems: array(text({ max: 1024 }), { max: 16, description: 'Why it does not fit. Empty: it fits.' }),
  }),
  access: 'agent',
  errors: ['stale_epoch'],
})

export const operations = [reportHardware] as const
