import {
  array,
  boolean,
  cloudInitUserData,
  constant,
  id,
  idOrPath,
  oneOf,
  optional,
  resource,
  type Static,
  tags,
} from '../kit/schema.ts'
import { priorityLevels } from './priority-levels.ts'

/** A priority level. Lower levels are terminated first when allocation falls below the number of instances. */
export function priorityLevel(more = '') {
  return oneOf(priorityLevels, { description: `When allocation falls, instances of lower levels end first.${more}` })
}

/** The most SSH keys of an instance. */
export const instanceSshKeysMax = 32

/** The launch settings of an instance, given directly or in a template. */
export const launchFields = {
  cloud_init_user_data: optional(cloudInitUserData()),
  ssh_keys: optional(
    array(id('ssh_key'), {
      max: instanceSshKeysMax,
      description:
        `Ids of the SSH keys that open it. Default: the newest ${instanceSshKeysMax} keys of its creator. Empty: ` +
        'none. Keys of others need the permission `user:read`.',
    }),
  ),
  tags: optional(tags()),
  priority_level: optional(priorityLevel(' Default `normal`.')),
  subnet: optional(idOrPath('subnet', { description: 'Subnet. Default: an isolated subnet of its own.' })),
  _preview_enable_public_ipv4: optional(
    boolean({
      default: false,
      description: 'Give it a public address. Without a public address only SSH (TCP port 22) reaches it.',
      negative: 'Give it no public address. Only SSH comes in.',
    }),
  ),
  _preview_firewall: optional(
    idOrPath('firewall', {
      description: 'Firewall of the public address. Default: the default firewall of the workspace.',
    }),
  ),
  _preview_infiniband_partition: optional(
    idOrPath('infiniband_partition', {
      description: 'InfiniBand partition. It cannot be changed later.',
    }),
  ),
}

export const cloudInitResponse = resource('CloudInitUserData', 'The cloud-init user data of an instance or template.', {
  object: constant('cloud_init_user_data'),
  cloud_init_user_data: cloudInitUserData(),
})
export type CloudInitResponse = Static<typeof cloudInitResponse>
