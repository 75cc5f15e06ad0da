/**
 * What an instance runs on, signed by its host and countersigned by the server. Each signed text is a JSON Web
 * Signature in compact form, signed with Ed25519.
 */
import { endpoint } from '../kit/endpoint.ts'
import {
  array,
  boolean,
  constant,
  id,
  idOrPath,
  integer,
  nullable,
  openObject,
  openResource,
  optional,
  resource,
  type Static,
  text,
  timestamp,
} from '../kit/schema.ts'
import {
  type HostHardware,
  hardwareBounds,
  hostAcceleratorDevice,
  hostAcceleratorModel,
  hostProcessors,
  hostRdmaPort,
  machineText,
} from './hardware.ts'

/** The `typ` of what a host says about a machine, signed with the key of the machine. */
export const machineStatementType = 'bourse-machine+jwt'
/** The `typ` of what a host says about the key of a machine, signed with the key of the host. */
export const machineKeyType = 'bourse-machine-key+jwt'
/** The `typ` of what the server says about an instance, signed with a signing key of the installation. */
export const attestationType = 'bourse-attestation+jwt'

/** How long a statement of a host is good, and how often its agent makes a new one. In seconds. */
export const statementSecondsMax = 7200
export const statementEverySeconds = 1800
/** How far the `iat` of a statement may be ahead of the clock of whoever checks it. */
export const statementSecondsAhead = 60
const attestationLengthMax = 98_304

const { kind, name, form_factor, memory_bytes, pci_id } = hostAcceleratorModel.properties
const { pci, numa_node } = hostAcceleratorDevice.properties
const { link_layer, gigabits_per_second } = hostRdmaPort.properties
const rdmaMax = 32
const size = (max: number, what: string, unit?: 'bytes') =>
  nullable(integer({ min: 0, max, ...(unit ? { unit } : {}), description: `${what} \`null\`: the SKU does not say.` }))

export const machineHardware = openResource(
  'MachineHardware',
  'The part of a host that one machine has or can observe.',
  {
    num_vcpus: size(65_536, 'Its virtual processors.'),
    memory_bytes: size(Number.MAX_SAFE_INTEGER, 'Its memory in bytes.', 'bytes'),
    storage_bytes: size(Number.MAX_SAFE_INTEGER, 'Its storage in bytes.', 'bytes'),
    accelerators: array(
      openResource('MachineAccelerator', 'One GPU of a machine.', {
        kind,
        name,
        form_factor,
        memory_bytes,
        pci_id,
        pci,
        numa_node,
      }),
      { max: hardwareBounds.devices, description: 'The devices that the machine has.' },
    ),
    rdma: optional(
      array(
        openResource('MachineRdmaFunction', 'One RDMA adapter of a machine, or a virtual function of one.', {
          pci,
          link_layer,
          gigabits_per_second,
          numa_node,
        }),
        {
          max: rdmaMax,
          description:
            'Its RDMA adapters or their virtual functions. Absent: none, or the agent is of an older version.',
        },
      ),
    ),
    nvswitches: optional(
      array(openResource('MachineNvSwitch', 'One NVSwitch between the GPUs of a machine.', { pci, numa_node }), {
        max: hardwareBounds.nvswitches,
        description: 'The switches between its GPUs. Absent: none, or the agent is of an older version.',
      }),
    ),
    processors: hostProcessors,
    numa_nodes: integer({ min: 0, max: hardwareBounds.numa_nodes, description: 'Number of NUMA nodes of the host.' }),
    is_iommu_on: boolean({ description: 'Whether the IOMMU of the host is on.' }),
    is_secure_boot_on: nullable(
      boolean({ description: 'Whether the host started by Secure Boot. `null`: its firmware does not say.' }),
    ),
    is_kvm_usable: nullable(boolean({ description: 'Whether it runs with KVM. `null`: the agent has not tried.' })),
    kernel: machineText({ max: 64, description: 'Version of the kernel of the host.' }),
    qemu: nullable(machineText({ max: 32, description: 'Version of its QEMU. `null`: it has none.' })),
  },
)
export type MachineHardware = Static<typeof machineHardware>

const publicJwk = openObject({
  kty: constant('OKP'),
  crv: constant('Ed25519'),
  x: text({ max: 43, pattern: '^[A-Za-z0-9_-]{43}$', form: '32 bytes in base64url' }),
})

/** The claims of a host about a machine. They name no host: the key of the machine stands for it. */
export const machineClaims = openObject({
  sub: id('instance'),
  iat: timestamp(),
  exp: timestamp(),
  slot: integer({ min: 0, max: 63 }),
  hardware: machineHardware,
})
export type MachineClaims = Static<typeof machineClaims>

/** The claims of a host about the key of a machine, in the form of RFC 7800. */
export const machineKeyClaims = openObject({
  iss: id('host'),
  sub: id('instance'),
  cnf: openObject({ jwk: publicJwk }),
})
export type MachineKeyClaims = Static<typeof machineKeyClaims>

export const instanceAttestation = resource(
  'InstanceAttestation',
  'What an instance runs on, as its host stated it. `jws` is the signed text; the other members repeat it.',
  {
    object: constant('instance_attestation'),
    instance: id('instance'),
    sku: id('sku'),
    host: text({
      max: 32,
      description: 'Equal for instances of the account that share a host, as in the hardware of the instance.',
    }),
    simulated: boolean({
      description:
        'The host is simulated, or hosts of the SKU need not have its hardware. Then the attestation proves no ' +
        'hardware.',
    }),
    attested_at: timestamp({ description: 'When the server signed it, in Unix seconds.' }),
    expires_at: timestamp({ description: 'When it expires, in Unix seconds.' }),
    hardware: machineHardware,
    jws: text({
      max: attestationLengthMax,
      description:
        'A JSON Web Signature of the server, with that of the host inside. `/.well-known/jwks.json` has the keys.',
    }),
  },
)
export type InstanceAttestation = Static<typeof instanceAttestation>

const attestationText = `Shows what an instance runs on: processors, memory, devices, firmware and kernel. The agent of
its host signs it; the server verifies that this host runs the instance, and signs the result. Anybody can verify it
without the server: the SDK has \`verifyAttestation\`.

It proves that the host owner states this about this instance at this time, and cannot deny it later. It does
not prove that the statement is true: no TPM or other hardware signs it, and whoever controls the host controls its key.

409 \`not_attested\`: the instance has no machine, or its host has not stated anything in the last two hours.`

export const getInstanceAttestation = endpoint({
  name: 'get_instance_attestation',
  method: 'GET',
  path: '/v2/instances/:id/attestation',
  area: 'instances',
  summary: 'Get an attestation',
  description: attestationText,
  params: { id: idOrPath('instance') },
  response: instanceAttestation,
  access: 'instance:read',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
  errors: ['forbidden', 'not_found', 'not_attested'],
})

/** What one machine has of the hardware of its host. `devices`: the PCI addresses of what it was given. */
export function machineHardwareOf(
  host: HostHardware,
  machine: Pick<MachineHardware, 'num_vcpus' | 'memory_bytes' | 'storage_bytes'>,
  devices: readonly string[],
): MachineHardware {
  const { processors, numa_nodes, is_iommu_on, is_secure_boot_on, is_kvm_usable, kernel, qemu } = host
  const { model, sockets, cores, threads, features } = processors
  const rdma = rdmaOf(host, devices)
  const nvswitches = (host.nvswitches ?? []).filter((one) => devices.includes(one.pci))
  return {
    num_vcpus: machine.num_vcpus,
    memory_bytes: machine.memory_bytes,
    storage_bytes: machine.storage_bytes,
    accelerators: host.accelerators.flatMap(({ devices: all, kind, name, form_factor, memory_bytes, pci_id }) =>
      all
        .filter(({ pci }) => devices.includes(pci))
        .map(({ pci, numa_node }) => ({ kind, name, form_factor, memory_bytes, pci_id, pci, numa_node })),
    ),
    ...(rdma.length > 0 ? { rdma } : {}),
    ...(nvswitches.length > 0 ? { nvswitches: nvswitches.map(({ pci, numa_node }) => ({ pci, numa_node })) } : {}),
    processors: { model, sockets, cores, threads, features: [...features] },
    numa_nodes: numa_nodes.length,
    is_iommu_on,
    is_secure_boot_on,
    is_kvm_usable,
    kernel,
    qemu,
  }
}

/** Without the ids of the adapters, by which two customers could find out that they share a host. */
function rdmaOf({ rdma }: HostHardware, devices: readonly string[]): NonNullable<MachineHardware['rdma']> {
  const all = rdma.flatMap(({ functions = [], link_layer, gigabits_per_second, numa_node }) =>
    functions
      .filter((pci) => devices.includes(pci))
      .map((pci) => ({ pci, link_layer, gigabits_per_second, numa_node })),
  )
  // The two ports of one adapter have the same functions.
  return [...new Map(all.map((one) => [one.pci, one])).values()].slice(0, rdmaMax)
}

export const operations = [getInstanceAttestation] as const
