import { type HostNetwork, openHostNetwork } from '../../src/network/host-network.ts'
import { findNetworkObstacles, findSettings, probeTunnel } from '../../src/network/probe.ts'
import { makeNextKey, openTunnelKeys, useNextKey } from '../../src/network/tunnel-keys.ts'
import { answerLines } from './conversation.ts'
import { guestOf, setupOf } from './setup.ts'

// The network of one host, as its agent manages it. A link into the namespace of a guest replaces the tap of a machine,
// so that the tests need no machine to send packets.

const [run = '', name = '', address = '', directory = '', partition_command] = process.argv.slice(2)
const setup = setupOf(run, name, address)
const tunnel_kind = await probeTunnel(setup)
let network: HostNetwork = await open()

function open(): Promise<HostNetwork> {
  return openHostNetwork({
    directory,
    setup,
    partition_command,
    tunnel_kind,
    log: (message, fields) => console.error(message, fields),
    makePort: ({ namespace }, { device, mac }) => {
      const peer = ['peer', 'name', 'eth0', 'address', mac, 'netns', guestOf(run, mac)]
      const words = ['link', 'add', device, 'netns', namespace, 'type', 'veth', ...peer]
      return { program: 'ip', namespace: null, words, input: null }
    },
  })
}

await answerLines({
  attach: (machine) => network.attach(machine),
  unusable: () => network.unusablePeers(),
  tunnel: (desired) => network.setTunnel(desired),
  tunnelProblem: () => network.tunnelProblem(),
  partitionProblem: () => network.partitionProblem(),
  watchTunnel: () => network.watchTunnel(),
  publicKey: async () => (await openTunnelKeys(directory)).current.public_key,
  makeNextKey: () => makeNextKey(directory),
  useNextKey: async () => {
    await useNextKey(directory)
    await network.rekey()
  },
  release: (id) => network.release(id),
  tell: (id, notice) => network.setNotice(id, notice),
  mend: () => network.repair(),
  restore: () => network.restore(),
  /** Ends the agent and starts it again. Its networks remain meanwhile. */
  restart: async () => {
    await network.close()
    network = await open()
    await network.restore()
  },
  obstacles: () => findNetworkObstacles(setup),
  settings: () => findSettings(),
})
await network.close()
