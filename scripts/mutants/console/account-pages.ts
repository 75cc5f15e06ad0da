import type { Mutant } from '../mutant.ts'

const at = 'packages/console/src'

/** Decisions of pages of the console: uploads, networks, money, access. */
export const accountPageMutants: readonly Mutant[] = [
  {
    wrong: 'A resumed upload takes parts of another file for its own.',
    file: `${at}/images/upload.rules.ts`,
    text: "return etag.replaceAll('\"', '').toLowerCase() === md5",
    replacement: 'return etag.length > 0 || md5.length > 0',
    test: `${at}/images/upload.rules.test.ts`,
    caught_by: 'a part is the same where its MD5 is that of the server',
  },
  {
    wrong: 'A file is sent into an image that has parts of a larger one.',
    file: `${at}/images/upload.rules.ts`,
    text: '!hasForeignParts(parts, listed)',
    replacement: '(hasForeignParts(parts, listed) || true)',
    test: `${at}/images/upload.rules.test.ts`,
    caught_by: 'parts beyond the end of the file are those of another file',
  },
  {
    wrong: 'A rule for one network is said to cover another network.',
    file: `${at}/network/firewall.rules.ts`,
    text: ' || maskedTo(inner.address, outer.bits) !== outer.address',
    replacement: '',
    test: `${at}/network/firewall.rules.test.ts`,
    caught_by: 'a rule that another one covers is pointed out once, also of two equal ones',
  },
  {
    wrong: 'A right in one workspace is shown as one in the whole account.',
    file: `${at}/access/rights.rules.ts`,
    text: '(workspace === null ? rights.account : place?.actions)',
    replacement: '(place ?? rights.workspaces[0])?.actions',
    test: `${at}/access/rights.rules.test.ts`,
    caught_by: 'a right in a workspace is none in others or in the whole account',
  },
  {
    wrong: 'The last day of an export is left out.',
    file: `${at}/money/exports.rules.ts`,
    text: '(readDate(to) ?? 0) + daySeconds',
    replacement: '(readDate(to) ?? 0)',
    test: `${at}/money/exports.rules.test.ts`,
    caught_by: 'the last day is included',
  },
  {
    wrong: 'An operator is offered to approve an own credit.',
    file: `${at}/operator/credits.rules.ts`,
    text: 'requested_by.id === me.user',
    replacement: 'requested_by.id !== me.user',
    test: `${at}/operator/credits.rules.test.ts`,
    caught_by: 'an own request is one of the same user or the same token',
  },
  {
    wrong: 'Saving a SKU sends what was not changed, and the texts of its properties are lost.',
    file: `${at}/operator/sku-fields.rules.ts`,
    text: '.filter((name) => fields[name].trim() !== before[name])',
    replacement: '',
    test: `${at}/operator/sku-fields.rules.test.ts`,
    caught_by: 'only what was changed is sent, and an emptied property clears it',
  },
  {
    wrong: 'A role that says "all" loses it in the form.',
    file: `${at}/access/rights.rules.ts`,
    text: "(given as readonly string[]).includes('*') ? all.verbs : given",
    replacement: 'given',
    test: `${at}/access/rights.rules.test.ts`,
    caught_by: 'the rights of a role are those that it was made of',
  },
  {
    wrong: 'Changing one property of an override loses the others.',
    file: `${at}/operator/account/overrides.rules.ts`,
    text: ' : before[name as keyof Properties],',
    replacement: ' : undefined,',
    test: `${at}/operator/account/overrides.rules.test.ts`,
    caught_by: 'what was not changed is sent as it was',
  },
]
