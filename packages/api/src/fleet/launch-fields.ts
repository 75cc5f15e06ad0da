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

/** A priority level. Lower levels are terminated first when allocation falls below the number of instances. */
export function priorityLevel() {
  return oneOf(priorityLevels, {
    description: 'Lower levels are terminated first when allocation falls. Default `normal`.',
  })
}

/** The launch settings of an instance, given directly or in a template. */
export const launchFields = {
  cloud_init_user_data: optional(cloudInitUserData()),
  tags: optional(tags()),
  priority_level: optional(priorityLevel()),
  subnet: optional(
    idOrPath('subnet', { description: 'Subnet id or path. Without a subnet the instance is isolated.' }),
  ),
  _preview_enable_public_ipv4: optional(
    boolean({ default: false, description: 'If false, only SSH (TCP port 22) is open inbound.' }),
  ),
  _preview_firewall: optional(
    idOrPath('firewall', { description: "Only with public IPv4; default the workspace's own firewall." }),
  ),
  _preview_infiniband_partition: optional(
    idOrPath('infiniband_partition', { description: 'Cannot be changed later.' }),
  ),
}

/** The cloud-init user data of an instance or template. */
export const cloudInitAnswer = resource('CloudInitUserData', {
  object: constant('cloud_init_user_data'),
  cloud_init_user_data: cloudInitUserData(),
})
export type CloudInitAnswer = Static<typeof cloudInitAnswer>
