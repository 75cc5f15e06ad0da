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
]
