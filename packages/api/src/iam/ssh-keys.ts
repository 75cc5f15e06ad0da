import { annotations } from '../kit/annotations.ts'
import { endpoint } from '../kit/endpoint.ts'
import {
  array,
  constant,
  createdAt,
  id,
  integer,
  name,
  object,
  oneOf,
  onlyThis,
  optional,
  pageOf,
  pageParameters,
  repeated,
  resource,
  type Static,
  schemaOf,
  text,
} from '../kit/schema.ts'
import { shownNamePattern } from '../kit/shown-names.ts'

const area = 'SSH keys'

/** The most SSH keys of a user or token. */
export const sshKeysMax = 50
/** The most instances that the answer to a deletion shows. */
export const keyedInstancesMax = 100

const keyName = {
  min: 1,
  max: 128,
  pattern: shownNamePattern,
  form: 'text without invisible characters',
  examples: ['ada@laptop'],
}

const fingerprintExample = 'SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8'

/** The digest by which people compare keys. */
export const keyFingerprint = text({
  max: 50,
  description: 'SHA-256 of the key, as `ssh-keygen -l` prints it.',
  examples: [fingerprintExample],
})

export const sshKeyOwner = resource('SshKeyOwner', 'Whose key it is: a user, or the token of a program.', {
  type: oneOf(['user', 'token'], { description: 'A user, or an API token.' }),
  id: text({ max: 64, description: 'User or token id.' }),
  name: name({ description: 'Name of the user or token.' }),
})

/** What a caller sends may be a private key by mistake, so nothing keeps it as it was sent. */
const publicKeyLine = schemaOf<string>({
  type: 'string',
  minLength: 1,
  maxLength: 8192,
  contentMediaType: 'text/x-ssh-public-key',
  ...annotations({
    description: 'The public key in the one-line form of OpenSSH, as in a file that ends in `.pub`.',
    is_secret: true,
  }),
  examples: ['ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl ada@laptop'],
})

const fields = {
  object: constant('ssh_key'),
  id: id('ssh_key'),
  name: text({ ...keyName, description: 'Name, for people.' }),
  owner: sshKeyOwner,
  key_type: text({
    max: 64,
    description: 'Kind of key, as the key itself says.',
    examples: ['ssh-ed25519', 'sk-ecdsa-sha2-nistp256@openssh.com'],
  }),
  bits: integer({ min: 1, description: 'Size of the key in bits.' }),
  fingerprint: keyFingerprint,
  public_key: text({
    max: 8192,
    description: 'The key in one line, without its comment.',
    examples: ['ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl'],
  }),
  created_at: createdAt,
}

export const sshKey = resource('SshKey', 'An SSH public key of a user or token, for instances.', fields)
export type SshKey = Static<typeof sshKey>

export const keyedInstance = resource('KeyedInstance', 'An instance that had a deleted key when it was deleted.', {
  object: constant('instance'),
  id: id('instance'),
  name: name(),
  removal: oneOf(['requested', 'impossible'], {
    description:
      '`requested`: its host removes the key from the running instance, within seconds. `impossible`: its image does ' +
      'not run the QEMU guest agent, or its host is silent, so the key still opens the instance.',
  }),
})

export const deletedSshKey = resource('DeletedSshKey', 'A deleted SSH key, and the instances that still had it.', {
  object: constant('deleted_ssh_key'),
  id: id('ssh_key'),
  fingerprint: keyFingerprint,
  instances: array(keyedInstance, {
    max: keyedInstancesMax,
    description: 'Instances that had the key. Instances from which it cannot be removed come first. At most 100.',
  }),
})
export type DeletedSshKey = Static<typeof deletedSshKey>

const params = { id: id('ssh_key') }

export const createSshKey = endpoint({
  name: 'create_ssh_key',
  method: 'POST',
  path: '/preview/v2/ssh_keys',
  area,
  summary: 'Add an SSH key',
  description:
    'The key belongs to the caller: the person who is signed in, or the token of a program. Accepted are Ed25519, ' +
    'RSA with at least 3,072 bits, ECDSA (nistp256, nistp384, nistp521), and Ed25519 and ECDSA on a security key. ' +
    'New instances get the keys of whoever creates them, unless the request names others; running instances stay ' +
    'as they are. A key exists once in an account.',
  body: object({
    public_key: publicKeyLine,
    name: optional(text({ ...keyName, description: 'Name, for people. Default: the comment of the key.' })),
  }),
  response: sshKey,
  access: 'open',
  trust: { limited: 'none', recent_sign_in: 'always', trail: 'entry' },
  scope: 'account',
  idempotent: true,
  errors: ['insufficient_user_authentication', 'forbidden', 'invalid_base64', 'ssh_key_taken', 'limit_exceeded'],
})

export const listSshKeys = endpoint({
  name: 'list_ssh_keys',
  method: 'GET',
  path: '/preview/v2/ssh_keys',
  area,
  summary: 'List SSH keys',
  description:
    'Newest first. Shows your own keys, and with `user:list` the keys of the whole account. Deleted keys are left out.',
  query: {
    ...pageParameters('sshkc'),
    id: repeated(id('ssh_key', onlyThis)),
    owner: optional(
      text({
        min: 1,
        max: 64,
        pattern: '^(?:usr|tokn)_',
        form: 'the id of a user or token',
        description: 'Only keys of this user or token: its id.',
      }),
    ),
    fingerprint: optional(
      text({ min: 1, max: 50, description: 'Only the key with this fingerprint.', examples: [fingerprintExample] }),
    ),
  },
  response: pageOf(sshKey, 'sshkc'),
  access: 'open',
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'none' },
  scope: 'account',
  errors: ['invalid_cursor', 'forbidden', 'mutually_exclusive'],
})

export const getSshKey = endpoint({
  name: 'get_ssh_key',
  method: 'GET',
  path: '/preview/v2/ssh_keys/:id',
  area,
  summary: 'Get an SSH key',
  description: 'Shows the public key, its fingerprint and its owner. Your own keys need no permission.',
  params,
  response: sshKey,
  access: 'user:read',
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'none' },
  scope: 'account',
  errors: ['forbidden', 'not_found'],
})

export const deleteSshKey = endpoint({
  name: 'delete_ssh_key',
  method: 'DELETE',
  path: '/preview/v2/ssh_keys/:id',
  area,
  summary: 'Delete an SSH key',
  description:
    'New instances no longer get the key. It is removed within seconds from running instances whose image runs the ' +
    'QEMU guest agent; the response names the instances that keep it. Your own key needs no permission; the key of ' +
    'another owner needs every right that the owner has.',
  params,
  success: 200,
  response: deletedSshKey,
  access: 'user:write',
  trust: {
    limited: 'none',
    recent_sign_in: 'never',
    trail: 'entry',
    unasked: 'It takes a way in away, which must not wait.',
  },
  consequence: 'destroys',
  scope: 'account',
  errors: ['forbidden', 'not_found'],
})

export const operations = [createSshKey, listSshKeys, getSshKey, deleteSshKey] as const
