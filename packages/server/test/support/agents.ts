/** Hosts with their own agents, over HTTP: keys, signed tokens and the requests of agents. */
import { generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import { enrolmentProofText } from '@bourse/api/fleet/agent.ts'
import { hostReserveBytes } from '@bourse/api/fleet/fit.ts'
import { countsOf, type HostHardware } from '@bourse/api/fleet/hardware.ts'
import type { HostFacts } from '@bourse/api/fleet/hosts.ts'
import { SignJWT } from 'jose'
import type { CallBody } from './calls.ts'
import { type Calls, callsBy } from './calls.ts'
import type { TestServer } from './server.ts'

/** The key of a host. */
export type TestHostKey = { public_key: string; private_key: KeyObject }

/** An agent that has enrolled its host. Calls have a new token of the host by default. */
export type TestAgent = Calls & {
  host: string
  epoch: number
  key: TestHostKey
  /** The audience of its tokens. */
  audience: string
  /** A token of this host. `claims` changes its claims or header. */
  token(claims?: TokenClaims): Promise<string>
}

/** Changes to the default key, header and claims of a token. */
export type TokenClaims = { key?: KeyObject; typ?: string; life_seconds?: number; age_seconds?: number } & Record<
  string,
  unknown
>

export const facts: HostFacts = {
  hostname: 'rack-1',
  cpu_count: 64,
  memory_bytes: 2 ** 38,
  storage_bytes: 2 ** 42,
  accelerators: [],
  network: 'full',
  host_address: '192.0.2.7',
  public_ipv4s: ['198.51.100.1', '198.51.100.2'],
}

type Promised = {
  num_vcpus?: number
  memory_bytes?: number
  local_storage_bytes?: number
  accelerator?: string
  num_accelerators?: number
  rdma_type?: 'infiniband' | 'roce'
}

/** Facts of a host that has the hardware of a SKU, for a number of slots. `change` changes the hardware. */
export function factsThatFit(sku: Promised, slots = 1, change: Partial<HostHardware> = {}): HostFacts {
  const hardware = { ...hardwareThatFits(sku, slots), ...change }
  return { ...facts, ...countsOf(hardware), hardware }
}

/** The hardware of such a host. All accelerators are on one NUMA node. */
export function hardwareThatFits(sku: Promised, slots = 1): HostHardware {
  const { accelerator = '', num_accelerators = accelerator === '' ? 0 : 1, rdma_type } = sku
  const threads = Math.max(64, (sku.num_vcpus ?? 0) * slots)
  const storage = Math.max(2 ** 42, (sku.local_storage_bytes ?? 0) * slots)
  const devices = Array.from({ length: num_accelerators * slots }, (_, index) => ({
    pci: `0000:${index.toString(16).padStart(2, '0')}:00.0`,
    numa_node: 0,
    iommu_group: index,
    driver: 'vfio-pci',
    pcie_generation: 5,
    pcie_lanes: 16,
  }))
  const model = {
    kind: accelerator,
    name: `Test ${accelerator}`,
    form_factor: null,
    memory_bytes: null,
    pci_id: '10de:2330',
    subsystem_id: null,
    bar_bytes: 2 ** 37,
    pcie_generation_max: 5,
    pcie_lanes_max: 16,
  }
  const port = {
    device: 'mlx5_0',
    port: 1,
    link_layer: rdma_type === 'infiniband' ? ('infiniband' as const) : ('ethernet' as const),
    state: 'ACTIVE',
    gigabits_per_second: 400,
    numa_node: 0,
    guid: null,
    subnet_prefix: null,
  }
  return {
    processors: { model: 'Test processor', sockets: 1, cores: threads / 2, threads, features: ['avx2'] },
    memory_bytes: Math.max(2 ** 38, (sku.memory_bytes ?? 0) * slots + hostReserveBytes),
    numa_nodes: [],
    storage: { size_bytes: storage, free_bytes: storage, is_rotational: false, is_read_only: false },
    accelerators: devices.length === 0 ? [] : [{ ...model, devices }],
    rdma: rdma_type === undefined ? [] : [port],
    is_iommu_on: true,
    is_secure_boot_on: false,
    is_kvm_usable: true,
    kernel: '6.1.0',
    qemu: '7.2.22',
    problems: [],
  }
}

/** Generates an Ed25519 key pair. */
export function makeHostKey(): TestHostKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  return { public_key: publicKey.export({ format: 'jwk' }).x as string, private_key: privateKey }
}

/** When each key has last signed a request. */
const signing = new Map<string, number>()

/** The body of an enrolment request. Like an agent, a key signs each one for a later second. */
export function introduction(
  enrol_token: string,
  { public_key, private_key }: TestHostKey,
  more: object = {},
): CallBody<'enrol_host'> {
  const signed_at = Math.max(Math.floor(Date.now() / 1000), (signing.get(public_key) ?? 0) + 1)
  signing.set(public_key, signed_at)
  return introductionAt(signed_at, enrol_token, { public_key, private_key }, more)
}

/** The body of an enrolment request that is signed for a given second. */
export function introductionAt(
  signed_at: number,
  enrol_token: string,
  { public_key, private_key }: TestHostKey,
  more: object = {},
): CallBody<'enrol_host'> {
  const text = enrolmentProofText({ enrol_token, public_key, signed_at })
  const proof = { signed_at, signature: sign(null, Buffer.from(text), private_key).toString('base64url') }
  return { enrol_token, public_key, agent_version: '0.1.0', facts, proof, ...more }
}

/** Enrols a host with a permit. */
export async function enrol(
  server: TestServer,
  enrol_token: string,
  { key = makeHostKey(), ...more }: { key?: TestHostKey; name?: string; facts?: object } = {},
): Promise<TestAgent> {
  const body = introduction(enrol_token, key, more)
  const { host, epoch, audience } = await server.call('enrol_host', { token: null, body })
  const token = (claims: TokenClaims = {}) => signAgentToken(key, { sub: host, iss: host, aud: audience, ...claims })
  const calls = callsBy(async (method, path, options) =>
    server.request(method, path, { token: await token(), ...options }),
  )
  return { host, epoch, key, audience, token, ...calls }
}

/** Signs a token like an agent. */
export function signAgentToken(key: TestHostKey, claims: TokenClaims): Promise<string> {
  const {
    key: signer = key.private_key,
    typ = 'bourse-agent+jwt',
    life_seconds = 300,
    age_seconds = 0,
    ...rest
  } = claims
  const iat = Math.floor(Date.now() / 1000) - age_seconds
  return new SignJWT({ jti: randomUUID(), iat, exp: iat + life_seconds, ...rest })
    .setProtectedHeader({ alg: 'EdDSA', typ })
    .sign(signer)
}
