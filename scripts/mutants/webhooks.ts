import { level, type Mutant, server } from './mutant.ts'

/** Webhooks: cursors, epochs, addresses, signatures. */
export const webhookMutants: readonly Mutant[] = [
  {
    wrong: 'A paused server goes on writing for a webhook that another has taken.',
    file: server('webhooks/webhook-shares.store.ts'),
    text: 'where w.id = n.id and w.worker_id = $1 and w.epoch = n.epoch',
    replacement: 'where w.id = n.id and $1::text is not null',
    test: level('webhooks/epochs'),
    caught_by: 'writes of an earlier epoch are refused',
  },
  {
    wrong: 'The address of a receiver is checked, and then asked for once more to connect.',
    file: server('core/egress/connections.ts'),
    text: 'if (all) return callback(null, found)',
    replacement:
      'if (all) return void resolve(name).then((again) => callback(null, again), () => callback(null, found))',
    test: level('webhooks/egress'),
    caught_by: 'a name that changes to a private address after its check reaches nothing',
  },
  {
    wrong: 'IPv6 addresses that carry IPv4 ones are public.',
    file: server('core/egress/public-address.ts'),
    text: "if (address.range() !== 'unicast') return false",
    replacement: "if (!['unicast', 'rfc6052', '6to4'].includes(address.range())) return false",
    test: server('core/egress/public-address.test.ts'),
    caught_by: 'only addresses of the internet are public',
    in_commit: true,
  },
  {
    wrong: 'Two servers deliver for one webhook: who takes it does not raise its epoch.',
    file: server('webhooks/webhook-shares.store.ts'),
    text: 'set worker_id = $1, epoch = w.epoch + 1',
    replacement: 'set worker_id = $1, epoch = greatest(w.epoch, 1)',
    test: level('webhooks/epochs'),
    caught_by: 'writes of an earlier epoch are refused, and its server gives the webhook up',
  },
]
