import { readdirSync } from 'node:fs'
import { simulatedDriver } from '../../src/drivers/simulated/simulated.ts'
import { machinesFolder, testDriver } from '../support/driver-contract.ts'

const driver = simulatedDriver()

testDriver({
  driver,
  options: { name: 'simulated', directory: machinesFolder(), host_address: '127.0.0.1' },
  guest: () => ({ image_file: null, user_data: null, says: 'booted' }),
  provoke: (spec, end) => driver.fail(spec, end),
  isUp: async (spec) => (await driver.endpoints(spec)) !== undefined,
  left: async ({ directory }) => readdirSync(directory).filter((name) => name !== 'console.log'),
})
