import { api, level, type Mutant, server } from './mutant.ts'

/** Images and their uploads, firewalls and subnets. */
export const imageMutants: readonly Mutant[] = [
  {
    wrong: 'A reference to a firewall takes no lock.',
    file: server('network/firewalls.store.ts'),
    text: 'and deleted_at is null\n   order by id\n   for key share',
    replacement: 'and deleted_at is null order by id',
    test: api('instance-races'),
    caught_by: 'a firewall is either deleted or used by a concurrent creation',
  },
  {
    wrong: 'A server verifies an image that another one is verifying.',
    file: server('images/image-verification.store.ts'),
    text: '         and v.verification_until < bourse_real_now()\n',
    replacement: '',
    test: level('fleet/image-files'),
    caught_by: 'an image that a killed server was verifying is verified by another one',
  },
]
