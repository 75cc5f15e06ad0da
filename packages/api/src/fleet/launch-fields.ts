import {
  boolean,
  cloudInitUserData,
  constant,
  idOrPath,
  oneOf,
  optional,
  resource,
  type Static,
  tags,
} from '../kit/schema.ts'
import { priorityLevels } from './priority-levels.ts'

/** A priority level; lower ones are terminated first when allocation falls below the number of instances. */
export function priorityLevel() {
  return oneOf(priorityLevels, {
    description: 'Lower ones are terminated first when allocation runs short. Default `normal`.',
  })
}

/** What an instance can be started with, directly or by a template. */
export const launchFields = {
  cloud_init_user_data: optional(cloudInitUserData()),
  tags: optional(tags()),
  priority_level: optional(priorityLevel()),
  subnet: optional(idOrPath('subnet', { description: 'Subnet id or path; without one the instance is isolated.' })),
  _preview_enable_public_ipv4: optional(
    boolean({ default: false, description: 'Without it only SSH (TCP port 22) is open inbound.' }),
  ),
  _preview_firewall: optional(
    idOrPath('firewall', { description: "Only with public IPv4; default the workspace's own firewall." }),
  ),
  _preview_infiniband_partition: optional(idOrPath('infiniband_partition', { description: 'Fixed for life.' })),
}

/** Cloud-init user data, read back. */
export const cloudInitAnswer = resource('CloudInitUserData', {
  object: constant('cloud_init_user_data'),
  cloud_init_user_data: cloudInitUserData(),
})
export type CloudInitAnswer = Static<typeof cloudInitAnswer>
