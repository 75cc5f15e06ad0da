/** A SKU with one device a node, a host that sells two, and two customers who each buy one. Over HTTP only. */
import assert from 'node:assert/strict'
import { eventually, type Patience } from '../../../../test/eventually.ts'
import { makeSku, makeValue } from '../../../server/test/support/fixtures/fleet.ts'
import { addPartition, uploadImage } from '../../../server/test/support/fixtures/images.ts'
import { makeBuyer } from '../../../server/test/support/fixtures/market.ts'
import type { TestServer } from '../../../server/test/support/server.ts'
import { idsSeen, probeDisk } from '../../src/devices/probe-sector.ts'

/** An instance of a customer. */
export type BoughtMachine = {
  readonly id: string
  read(): Promise<any>
  /** The ids of the devices that its guest sees, once its console shows them. */
  idsOnConsole(): Promise<string[]>
  /** Waits until it is in a state. */
  is(state: string): Promise<void>
  terminate(): Promise<unknown>
}

/** The market of a test. */
export type DeviceMarket = Awaited<ReturnType<typeof openDeviceMarket>>

/** The smallest memory that a machine can have, and leaves the most to the host. */
const memory_bytes = 2 ** 27
const systemPartition = 0xef

/** Opens the market, with a permit for the host. Each wait fails with what it waited for. */
export async function openDeviceMarket(server: TestServer, patience: Patience) {
  await makeValue(server, 'accelerator', 'drive')
  const sku = await makeSku(server, { accelerator: 'drive', num_accelerators: 1, memory_bytes })
  const hostOf = (id: string) => server.call('get_host', { params: { id } })
  const customers = await Promise.all([makeCustomer(server, sku, patience), makeCustomer(server, sku, patience)])
  const { token: permit } = await server.call('create_host_enrolment', { body: { sku, slots: 2 } })
  return {
    customers,
    permit: permit as string,
    /** The host, once it has enrolled. */
    enrolled: () => {
      const look = async (): Promise<string | undefined> =>
        (await server.call('list_hosts', { query: { sku: [sku] } })).data[0]?.id
      return eventually('the host has enrolled', look, patience)
    },
    /** Sells the nodes of the host, and goes on to the minute from which the customers have them. */
    sell: async (host: string) => {
      const { pool: supply } = await hostOf(host)
      await server.advance(60)
      const { now } = await server.call('get_clock')
      const start_at = now - (now % 60) + 60
      const order = (pool: string, side: 'buy' | 'sell', node_count: number) => ({
        pool,
        sku,
        side,
        limit_price_dollars_per_node_hour: '1.00',
        allow_standing: side === 'sell',
        allow_partial: true,
        allocation_schedule_delta: [{ start_at, end_at: start_at + 3600, node_count }],
      })
      await server.call('create_order', { body: order(supply.id, 'sell', 2) })
      for (const { token, pool } of customers) {
        const { state } = await server.call('create_order', { token, body: order(pool, 'buy', 1) })
        assert.equal(state, 'filled')
      }
      await server.advance(60)
    },
    /** Waits until no instance uses the host. */
    isFree: (host: string) =>
      eventually('no instance uses the host', async () => (await hostOf(host)).used_slots === 0, patience),
    retire: async (host: string) => {
      const { now } = await server.call('get_clock')
      await server.call('drain_host', { params: { id: host }, body: { deadline_at: now + 60, force: true } })
      await server.advance(60)
      await server.call('retire_host', { params: { id: host } })
    },
  }
}

/** A customer with an image whose boot sector lists the devices that the guest sees. */
async function makeCustomer(server: TestServer, sku: string, patience: Patience) {
  const { token, pool } = await makeBuyer(server, '10.000000')
  const disk = addPartition(probeDisk())
  // A machine with accelerators starts by UEFI, which needs such a partition.
  disk[446 + 4] = systemPartition
  const { id: image } = await uploadImage({ server, token }, [disk])
  const launch = async (): Promise<BoughtMachine> => {
    const { id } = await server.call('create_instance', { token, body: { pool, sku, image } })
    const read = () => server.call('get_instance', { params: { id }, token })
    const log = async () => {
      const { data } = await server.call('list_instance_logs', { params: { id }, token })
      return data.map((chunk) => Buffer.from(chunk.data, 'base64').toString('latin1')).join('')
    }
    return {
      id,
      read,
      idsOnConsole: () =>
        eventually(`the console of ${id} shows its devices`, async () => idsSeen(await log()), patience),
      is: async (state) => {
        const look = async () => {
          const instance = await read()
          assert.equal(instance.state, state, JSON.stringify(instance))
          return true
        }
        await eventually(`${id} is ${state}`, look, patience)
      },
      terminate: () => server.call('terminate_instance', { params: { id }, token }),
    }
  }
  return { token, pool, launch }
}
