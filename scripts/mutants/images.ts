import { api, level, type Mutant, server } from './mutant.ts'

/** Images and their uploads, firewalls and subnets. */
export const imageMutants: readonly Mutant[] = [
  {
    wrong: 'An image is completed although its bytes are no disk image.',
    file: server('images/image-uploads.service.ts'),
    text: "  if ('code' in facts) throw new Refusal(facts)\n",
    replacement: '',
    test: api('image-uploads'),
    caught_by: 'bytes that are no disk image are refused',
  },
  {
    wrong: 'The command line uploads a file before it looks at its format.',
    file: 'packages/cli/src/commands/images-upload.ts',
    text: "if (force && found.code === 'image_format_unknown') return undefined",
    replacement: "if (force || found.code === 'image_format_unknown') return undefined",
    test: 'packages/cli/test/images.test.ts',
    caught_by: 'a file that cannot be uploaded is refused before the upload begins',
  },
  {
    wrong: 'A signed URL is valid in the second in which it expires.',
    file: server('images/image-urls.service.ts'),
    text: 'if (!isOurs || now >= facts.expires_at)',
    replacement: 'if (!isOurs || now > facts.expires_at)',
    test: api('image-uploads'),
    caught_by: 'a signed URL is valid for one image, one part, one method and one hour',
  },
  {
    wrong: 'A part that replaces another one counts in addition to it.',
    file: server('images/image-transfers.service.ts'),
    text: "  await returnLimit(ctx, row.account_id, 'image_bytes', former.size_bytes)\n",
    replacement: '',
    test: api('image-uploads'),
    caught_by: 'a part that is sent again replaces the earlier one and counts once',
  },
  {
    wrong: 'A repeated deprecation of an image emits another event.',
    file: server('images/images.rules.ts'),
    text: "action: image.deprecated_at === null ? 'image.deprecated' : undefined",
    replacement: "action: 'image.deprecated'",
    test: api('images'),
    caught_by: 'deprecate_image is permanent, and a repeat only changes the message',
  },
  {
    wrong: 'A reference to a firewall takes no lock.',
    file: server('network/firewalls.store.ts'),
    text: 'and deleted_at is null\n   order by id\n   for key share',
    replacement: 'and deleted_at is null order by id',
    test: api('instance-races'),
    caught_by: 'a firewall is either deleted or used by a concurrent creation',
  },
  {
    wrong: 'An image is complete although its bytes have another digest.',
    file: server('images/image-verification.service.ts'),
    text: 'if (row.sha256 === sha256 && row.size_bytes === size_bytes) {',
    replacement: 'if (row.size_bytes === size_bytes) {',
    test: api('image-uploads'),
    caught_by: 'an image whose bytes do not have the digest that was sent fails',
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
