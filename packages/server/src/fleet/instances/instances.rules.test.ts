import assert from 'node:assert/strict'
import {
  type InstanceState,
  instanceStates,
  isInstanceActionAllowed,
  mayInstanceBecome,
} from '@bourse/api/fleet/instance-states.ts'
import { describe, test } from 'vitest'
import {
  admitInstance,
  admitTemplate,
  type InstanceChoice,
  type LaunchImage,
  type ReplacedInstance,
  refuseInstanceAction,
  refuseReplacement,
  refuseSuccessorName,
  successorOf,
} from './instances.rules.ts'

const states = Object.keys(instanceStates) as InstanceState[]
const image: LaunchImage = { state: 'completed' }

const plain: InstanceChoice = {
  workspace_id: 'wksp_1',
  pool: { kind: 'market' },
  sku: {
    deleted_at: null,
    region: 'north',
    rdma_type: 'infiniband',
    infiniband_fabric: 'fab-1',
    supports_public_ipv4: true,
  },
  image,
  enable_public_ipv4: false,
  firewall: null,
  subnet: null,
  infiniband_partition: null,
}
const rich: InstanceChoice = {
  ...plain,
  enable_public_ipv4: true,
  firewall: { workspace_id: 'wksp_1' },
  subnet: { workspace_id: 'wksp_1', region: 'north', available_addresses: 1 },
  infiniband_partition: { workspace_id: 'wksp_1', infiniband_fabric: 'fab-1' },
}
const bareSku = { ...plain.sku, region: null, rdma_type: null, infiniband_fabric: null, supports_public_ipv4: null }
const elsewhere = { workspace_id: 'wksp_2' }

describe('an instance is admitted', () => {
  const cases: [string, InstanceChoice, string | undefined][] = [
    ['with nothing special', plain, undefined],
    ['with everything that fits', rich, undefined],
    ['in a read-only pool', { ...plain, pool: { kind: 'read_only' } }, undefined],
    ['on a bare SKU', { ...plain, sku: bareSku }, undefined],
    ['not in an originating pool', { ...plain, pool: { kind: 'originating' } }, 'pool pool_kind_not_allowed'],
    ['not on a retired SKU', { ...plain, sku: { ...plain.sku, deleted_at: 1 } }, 'sku sku_not_available'],
    ['not without an image', { ...plain, image: undefined }, 'image image_not_available'],
    ['not with a revoked image', { ...plain, image: { ...image, state: 'revoked' } }, 'image image_not_available'],
    [
      'not with an unfinished image',
      { ...plain, image: { ...image, state: 'uploading' } },
      'image image_not_available',
    ],
    [
      'not with public IPv4 that the SKU lacks',
      { ...rich, sku: { ...rich.sku, supports_public_ipv4: false } },
      '_preview_enable_public_ipv4 public_ipv4_not_supported',
    ],
    ['not with a firewall alone', { ...rich, enable_public_ipv4: false }, '_preview_firewall not_applicable'],
    ['not with a foreign firewall', { ...rich, firewall: elsewhere }, '_preview_firewall workspace_mismatch'],
    [
      'not in a foreign subnet',
      { ...rich, subnet: { ...rich.subnet, ...elsewhere } as never },
      'subnet workspace_mismatch',
    ],
    ['not in a subnet elsewhere', { ...rich, sku: { ...rich.sku, region: 'south' } }, 'subnet region_mismatch'],
    [
      'not in a subnet when the SKU has no region',
      { ...rich, sku: { ...rich.sku, region: null } },
      'subnet region_mismatch',
    ],
    [
      'not in a full subnet',
      { ...rich, subnet: { ...rich.subnet, available_addresses: 0 } as never },
      'subnet subnet_full',
    ],
    [
      'on a full subnet of which it takes nothing yet',
      { ...rich, subnet: { ...rich.subnet, available_addresses: null } as never },
      undefined,
    ],
    [
      'not in a foreign partition',
      { ...rich, infiniband_partition: { ...elsewhere, infiniband_fabric: 'fab-1' } },
      '_preview_infiniband_partition workspace_mismatch',
    ],
    [
      'not in a partition on RoCE',
      { ...rich, sku: { ...rich.sku, rdma_type: 'roce' } },
      '_preview_infiniband_partition infiniband_not_supported',
    ],
    [
      'not in a partition of another fabric',
      { ...rich, sku: { ...rich.sku, infiniband_fabric: 'fab-2' } },
      '_preview_infiniband_partition fabric_mismatch',
    ],
  ]
  for (const [how, choice, refused] of cases) {
    test(how, () => {
      const refusal = admitInstance(choice)
      assert.equal(refusal && `${refusal.field} ${refusal.code}`, refused)
    })
  }

  test('with an error for the first invalid field of the request', () => {
    const all: InstanceChoice = {
      ...rich,
      pool: { kind: 'originating' },
      sku: { ...bareSku, deleted_at: 1 },
      image: undefined,
    }
    assert.equal(admitInstance(all)?.code, 'pool_kind_not_allowed')
    assert.equal(admitInstance({ ...all, pool: plain.pool })?.code, 'sku_not_available')
    assert.equal(admitInstance({ ...all, pool: plain.pool, sku: bareSku })?.code, 'image_not_available')
    assert.equal(admitInstance({ ...all, pool: plain.pool, sku: bareSku, image })?.code, 'public_ipv4_not_supported')
  })
})

describe('a template is admitted', () => {
  test('by the rules that need no SKU', () => {
    assert.equal(admitTemplate(rich), undefined)
    assert.equal(admitTemplate({ ...rich, subnet: { ...rich.subnet, available_addresses: 0 } as never }), undefined)
    assert.equal(admitTemplate({ ...rich, image: undefined })?.code, 'image_not_available')
    assert.equal(admitTemplate({ ...rich, enable_public_ipv4: false })?.code, 'not_applicable')
    assert.equal(
      admitTemplate({ ...rich, subnet: { ...rich.subnet, ...elsewhere } as never })?.code,
      'workspace_mismatch',
    )
  })
})

describe('the states of an instance', () => {
  test('end in terminated, which is final, and never lead back', () => {
    for (const from of states) {
      assert.equal(mayInstanceBecome(from, 'terminated'), from !== 'terminated')
      assert.equal(mayInstanceBecome(from, 'awaiting_allocation'), false)
      assert.equal(mayInstanceBecome('terminated', from), false)
    }
    assert.equal(mayInstanceBecome('failed', 'running'), false)
  })

  test('allow every action except delete until the end, and then only delete', () => {
    for (const state of states) {
      for (const action of ['update', 'terminate', 'replace'] as const) {
        assert.equal(
          refuseInstanceAction(action, state)?.code,
          state === 'terminated' ? 'instance_terminated' : undefined,
        )
      }
      const code = refuseInstanceAction('delete', state)?.code
      assert.equal(code, state === 'terminated' ? undefined : 'instance_not_terminated')
      assert.equal(isInstanceActionAllowed('delete', state), code === undefined)
    }
  })
})

describe('a replacement', () => {
  const free = { replaced: 'web', is_taken: false }

  test('is created from every state except terminated, with another name or none', () => {
    for (const state of states.filter((each) => each !== 'terminated')) {
      assert.equal(refuseReplacement(state, image), undefined)
    }
    for (const name of [null, 'web-2', 'WEB']) assert.equal(refuseSuccessorName(name, free), undefined)
  })

  test('is refused first for its state, then for the image', () => {
    assert.equal(refuseReplacement('terminated', undefined)?.code, 'instance_terminated')
    assert.equal(refuseReplacement('running', undefined)?.code, 'image_not_available')
  })

  test('has neither the name of the replaced instance nor that of another one, where it is given a name', () => {
    const taken = { ...free, is_taken: true }
    const codes = ['web', 'other', null].map((name) => refuseSuccessorName(name, taken)?.code)
    assert.deepEqual(codes, ['same_name_as_replaced', 'name_taken', undefined])
  })
})

describe('a successor', () => {
  const old: ReplacedInstance = {
    account_id: 'acme',
    workspace_id: 'wksp_1',
    pool_id: 'pool_1',
    sku_id: 'sku_1',
    subnet_id: 'snet_1',
    enable_public_ipv4: true,
    firewall_id: 'frwl_1',
    infiniband_partition_id: 'ibpart_1',
    tags: { team: 'a' },
    priority_level: 'critical',
    deployment_id: 'depl_1',
    deployment_slot: 3,
    private_ip: '10.64.0.4',
    public_ip: '203.0.113.7',
    id: 'inst_old',
    at: { host_id: 'host_1', slot: 2 },
    replaces_host_id: null,
    replaces_slot: null,
  }
  const fresh = { id: 'inst_new', image_id: 'image_new', mac: '02:00:00:00:00:01', user_data_used: true } as const
  const successor = (before: ReplacedInstance) => successorOf(before, { ...fresh, now: 77 })

  test('takes over everything except identity, image, age and state', () => {
    const { id, at, ...inherited } = old
    assert.deepEqual(successor(old), {
      ...inherited,
      ...fresh,
      state: 'awaiting_allocation',
      created_at: 77,
      updated_at: 77,
      order_id: null,
      replaces: id,
      replaces_host_id: at?.host_id,
      replaces_slot: at?.slot,
    })
  })

  test('of a waiting successor inherits the claim on the slot', () => {
    const claimOf = (before: ReplacedInstance) => {
      const { replaces_host_id, replaces_slot } = successor(before)
      return { replaces_host_id, replaces_slot }
    }
    const claim = { replaces_host_id: 'host_9', replaces_slot: 1 } as const
    assert.deepEqual(claimOf({ ...old, at: null, ...claim }), claim)
    assert.deepEqual(claimOf({ ...old, at: null }), { replaces_host_id: null, replaces_slot: null })
    assert.deepEqual(claimOf({ ...old, ...claim }), { replaces_host_id: 'host_1', replaces_slot: 2 })
  })
})
