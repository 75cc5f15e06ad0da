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
  type Replaced,
  refuseInstanceAction,
  refuseReplace,
  successorOf,
} from './instances.rules.ts'

const states = Object.keys(instanceStates) as InstanceState[]
const image: LaunchImage = { state: 'completed', is_readable: true }

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
    [
      'not with an image out of sight',
      { ...plain, image: { ...image, is_readable: false } },
      'image image_not_available',
    ],
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
  const request = { old: { state: 'running' as InstanceState, name: 'web' }, image, name: null, is_name_taken: false }

  test('is created from every state except terminated, with another name or none', () => {
    for (const state of states.filter((each) => each !== 'terminated')) {
      assert.equal(refuseReplace({ ...request, old: { state, name: 'web' } }), undefined)
    }
    assert.equal(refuseReplace({ ...request, name: 'web-2' }), undefined)
    assert.equal(refuseReplace({ ...request, name: 'WEB' }), undefined)
  })

  test('is refused first for its state, then for the image, then for the name', () => {
    const wrong = {
      old: { state: 'terminated' as const, name: 'web' },
      image: undefined,
      name: 'web',
      is_name_taken: true,
    }
    const codes = [
      refuseReplace(wrong)?.code,
      refuseReplace({ ...wrong, old: request.old })?.code,
      refuseReplace({ ...wrong, old: request.old, image })?.code,
      refuseReplace({ ...wrong, old: request.old, image, name: 'other' })?.code,
      refuseReplace({ ...request, is_name_taken: true })?.code,
    ]
    assert.deepEqual(codes, [
      'instance_terminated',
      'image_not_available',
      'same_name_as_replaced',
      'name_taken',
      undefined,
    ])
  })
})

describe('a successor', () => {
  const old: Replaced = {
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
    managed_by_id: 'depl_1',
    fleet_slot: 3,
    private_ip: '10.64.0.4',
    public_ip: '203.0.113.7',
    id: 'inst_old',
    slot: { host_id: 'host_1', slot: 2 },
    replaces_slot: null,
  }
  const fresh = { id: 'inst_new', image_id: 'image_new', now: 77 } as const

  test('takes over everything except identity, image, age and state', () => {
    const { id, slot, replaces_slot: _, ...inherited } = old
    assert.deepEqual(successorOf(old, fresh), {
      ...inherited,
      id: 'inst_new',
      image_id: 'image_new',
      state: 'awaiting_allocation',
      created_at: 77,
      replaces_id: id,
      replaces_slot: slot,
    })
  })

  test('of a waiting successor inherits the claim on the slot', () => {
    const claim = { host_id: 'host_9', slot: 1 } as const
    assert.deepEqual(successorOf({ ...old, slot: null, replaces_slot: claim }, fresh).replaces_slot, claim)
    assert.equal(successorOf({ ...old, slot: null }, fresh).replaces_slot, null)
  })
})
