/** Starts one machine as an agent does, reports it, and waits until it is killed. */
import { chooseDriver } from '../../src/drivers/choose.ts'

const { options, spec, user_data } = JSON.parse(process.argv[2] as string)
const driver = chooseDriver(options)
await driver.probe()
await driver.prepare(spec, user_data === null ? null : Buffer.from(user_data, 'base64'))
await driver.start(spec, new AbortController().signal)
console.log('started')
setInterval(() => {}, 60_000)
