/**
 * Names that programs choose and people have to judge by. An invisible character, or one that turns the direction of
 * the text, makes such a name read as another one.
 */

/** The first and the last of some characters. */
type CharacterRange = readonly [number, number]

/** What is shown as nothing or changes how its neighbours are shown, below U+10000; surrogates and private use. */
const hidden: readonly CharacterRange[] = [
  [0x0000, 0x001f],
  [0x007f, 0x009f],
  [0x00ad, 0x00ad],
  [0x034f, 0x034f],
  [0x0600, 0x0605],
  [0x061c, 0x061c],
  [0x06dd, 0x06dd],
  [0x070f, 0x070f],
  [0x0890, 0x0891],
  [0x08e2, 0x08e2],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xd800, 0xf8ff],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xffff],
]

/** White space that is shown, and the sign between the two parts of an address. */
const addressEnds: readonly CharacterRange[] = [
  [0x0020, 0x0020],
  [0x0040, 0x0040],
  [0x00a0, 0x00a0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
]

/** What ends the name of a host in a URL, or stands for another character there: `#`, `%`, `/`, `:`, `?` and `\`. */
const signsOfUrls: readonly CharacterRange[] = [
  [0x0023, 0x0023],
  [0x0025, 0x0025],
  [0x002f, 0x002f],
  [0x003a, 0x003a],
  [0x003f, 0x003f],
  [0x005c, 0x005c],
]

const escaped = (code: number) => `\\u${code.toString(16).padStart(4, '0')}`

/**
 * The characters that are left, as the inside of a class. It lists what is allowed: without the flag u, which some
 * validators do not set, a class cannot leave out tag characters (U+E0000 and above). So it has nothing above U+FFFF.
 */
function classWithout(ranges: readonly CharacterRange[]): string {
  const ordered = ranges.toSorted(([one], [other]) => one - other)
  return ordered
    .map(([, end], index) => [end + 1, (ordered[index + 1]?.[0] ?? 0x10000) - 1] as const)
    .filter(([first, last]) => first <= last)
    .map(([first, last]) => `${escaped(first)}-${escaped(last)}`)
    .join('')
}

const visible = classWithout(hidden)
const inAddress = classWithout([...hidden, ...addressEnds])
const inDomain = classWithout([...hidden, ...addressEnds, ...signsOfUrls])

/** The pattern of such a name. */
export const shownNamePattern = `^[${visible}]+$`

/** The pattern of an e-mail address. With an invisible character it would look like that of another person. */
export const shownEmailPattern = `^[${inAddress}]+@[${inDomain}]+$`

/** A text without the characters that such a name may not have. */
export function shownName(text: string): string {
  return text.replaceAll(new RegExp(`[^${visible}]`, 'gu'), '')
}
