/** The desired state of a host: what it must run, and with which networks. */
import {
  array,
  boolean,
  constant,
  here,
  id,
  integer,
  nullable,
  oneOf,
  openObject,
  openResource,
  optional,
  text,
  timestamp,
} from '../kit/schema.ts'
import { firewallRule, firewallRulesMax } from '../network/firewalls.ts'
import { pciAddress } from './hardware.ts'
import { hostAddress } from './hosts.ts'

/** A key with its comment: visible characters only, so that nothing else becomes part of a file of the guest. */
const authorizedKeyPattern = '^[a-z0-9@.-]+ [A-Za-z0-9+/]+={0,2} (?:[!-~]+ )?sshk_[0-9a-zA-Z_-]{1,21}$'

const address = (description: string) => text({ max: 15, description })

/** How often a host reports. */
export const reportEvery = integer({ unit: 'seconds', min: 1, description: 'Seconds between two reports.' })

const tunnelKey = (description: string) =>
  text({
    max: 44,
    pattern: '^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$',
    form: '32 bytes in base64',
    examples: ['3p7bfXt9wbTTW2HC7OQ1Nz+DQ8hbeGdNrfx+FG+IK08='],
    description,
  })
/** The key and the port of the tunnel of a host. */
export const tunnelFields = {
  public_key: tunnelKey('The WireGuard public key. The private key never leaves the host.'),
  next_public_key: nullable(tunnelKey('The key that the host uses next. `null`: it does not change its key.')),
  port: integer({ min: 1, max: 65_535, description: 'The UDP port of the tunnel, at the `host_address`.' }),
}

export const desiredTunnel = openResource(
  'DesiredTunnel',
  'The tunnel of a host, and the tunnels of the hosts that share a subnet with it.',
  {
    address: text({ max: 15, description: 'The address of this host inside of tunnels.' }),
    ...tunnelFields,
    peers: array(
      openResource('TunnelPeer', 'The tunnel of another host that shares a subnet with this one.', {
        address: text({ max: 15, description: 'The only address from which this peer may send.' }),
        host_address: hostAddress,
        ...tunnelFields,
      }),
      { max: 65_536, description: 'The tunnels of the other hosts.' },
    ),
  },
)

export const desiredNetwork = openResource('DesiredNetwork', 'The network settings of an instance.', {
  mac: text({ max: 17, description: 'MAC address of the machine in its subnet.' }),
  private_ip: nullable(address('IPv4 address of the machine in its subnet. `null`: none.')),
  subnet: nullable(id('subnet', { description: 'Subnet id. `null`: an isolated subnet of its own.' })),
  vni: nullable(
    integer({
      min: 1,
      max: 16_777_215,
      description: 'Number of the virtual network of the subnet, unique for each. `null`: no subnet.',
    }),
  ),
  cidr: nullable(text({ max: 18, description: 'IPv4 network of the subnet. `null`: no subnet.' })),
  traffic: oneOf(['encrypted', 'unencrypted'], {
    description:
      'How traffic of the subnet goes to other hosts. `unencrypted`: the platform operator accepts it, and a host ' +
      'has no tunnel.',
  }),
  peers: array(
    openObject({
      private_ip: address('IPv4 address of the other machine in the subnet.'),
      host_address: hostAddress,
      tunnel_address: nullable(address('Address of its host inside of tunnels. `null`: that host has no tunnel.')),
    }),
    { max: 65_536, description: 'The other machines of the subnet.' },
  ),
  public_ip: nullable(address('Public IPv4 address of the machine. `null`: none.')),
  firewall_rules: nullable(
    array(firewallRule, {
      max: firewallRulesMax,
      description: 'Rules for inbound traffic to the public address. `null`: it has none.',
    }),
  ),
  infiniband_partition: nullable(id('infiniband_partition', { description: 'InfiniBand partition id. `null`: none.' })),
  partition_key: nullable(
    integer({
      min: 1,
      max: 32_766,
      description:
        'Key of the InfiniBand partition, unique in its fabric. `null`: no partition, or a simulated SKU, whose ' +
        'machines have no adapters.',
    }),
  ),
})

export const desiredImage = openResource('DesiredImage', 'The image that a machine starts from.', {
  id: id('image'),
  url: nullable(
    text({ max: 4096, description: 'Where to download it without a token. `null`: the image has no bytes.' }),
  ),
  sha256: nullable(text({ max: 64, description: 'SHA-256 of the image, which the agent verifies. `null`: no bytes.' })),
  size_bytes: nullable(
    integer({ unit: 'bytes', min: 0, description: 'Size of the image in bytes. `null`: no bytes.' }),
  ),
  expires_at: nullable(timestamp({ description: 'When the URL expires, in Unix seconds. `null`: there is none.' })),
})

export const desiredInstance = openResource('DesiredInstance', 'A machine that a host must run or stop.', {
  id: id('instance'),
  generation: integer({ min: 0, description: 'Rises with each change of this machine. Reports repeat it.' }),
  action: oneOf(['run', 'stop'], { description: 'Whether to run the machine, or to stop it and erase its disk.' }),
  slot: integer({ min: 0, max: 63, description: 'Number of the slot that it has, from 0.' }),
  hostname: text({ max: 255, description: 'Name that the machine gets.' }),
  machine: openResource('DesiredMachine', 'What a machine must have.', {
    cpu_count: nullable(
      integer({ min: 1, description: 'Number of processors, from the SKU. `null`: the SKU does not say.' }),
    ),
    memory_bytes: nullable(
      integer({ unit: 'bytes', min: 0, description: 'Memory in bytes. `null`: the SKU does not say.' }),
    ),
    storage_bytes: nullable(
      integer({ unit: 'bytes', min: 0, description: 'Size of its disk in bytes. `null`: the SKU does not say.' }),
    ),
    accelerators: optional(
      integer({ min: 1, description: 'How many GPUs it must have. Absent: none, as if simulated.' }),
    ),
    rdma: optional(boolean({ description: 'Whether it must have InfiniBand adapters of its own. Absent: no.' })),
    devices: optional(
      array(pciAddress(), {
        max: 128,
        description:
          'The GPUs, InfiniBand adapters and NVSwitches of its slot. A host gives a machine no other devices.',
      }),
    ),
  }),
  image: nullable(here(desiredImage, 'The image that it starts from. `null`: it need not start.')),
  user_data_ticket: nullable(text({ max: 255, description: 'Ticket for its user data. `null`: it has none.' })),
  ssh_keys: optional(
    array(
      openResource('DesiredSshKey', 'An SSH key that opens a machine.', {
        id: id('ssh_key'),
        public_key: text({
          max: 8192,
          pattern: authorizedKeyPattern,
          form: 'a line of a file authorized_keys, which ends in the id of the key',
          examples: [
            'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl ada@laptop sshk_00000001',
          ],
          description: 'The line for the file `authorized_keys`. Its last word is the id.',
        }),
      }),
      { max: 64, description: 'The SSH keys that the machine must have from the platform. Absent: none.' },
    ),
  ),
  network: desiredNetwork,
  terminate_at: nullable(
    timestamp({ description: 'Deadline of its notice, in Unix seconds. `null`: no notice has been given.' }),
  ),
  terminate_reason: nullable(text({ max: 64, description: 'Why it will end. `null`: no notice has been given.' })),
})

export const desiredState = openResource(
  'DesiredState',
  'The complete desired state of a host. An instance that must end stays listed until it is reported stopped.',
  {
    object: constant('desired_state'),
    generation: integer({ min: 0, description: 'Rises with each change of the desired state.' }),
    epoch: integer({ min: 1, description: 'Epoch of the enrolment of the host.' }),
    server_time: timestamp({
      description: 'The time of the server, in Unix seconds on the clock that applies to the host.',
    }),
    cordoned: boolean({ description: 'Whether no new instances are placed on the host.' }),
    report_every_seconds: reportEvery,
    tunnel: nullable(here(desiredTunnel, 'The tunnel of the host. `null`: it has declared none.')),
    instances: array(desiredInstance, { max: 256, description: 'All machines of the host.' }),
  },
)
