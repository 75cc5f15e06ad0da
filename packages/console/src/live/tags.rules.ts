/** Tags as a line of text: `team=data, tier=front`. Neither keys nor values have commas or equals signs. Pure. */

type Tags = Readonly<Record<string, string>>

/** Tags as they are typed. */
export function tagsText(tags: Tags | null): string {
  return Object.entries(tags ?? {})
    .map(([key, value]) => `${key}=${value}`)
    .join(', ')
}

/** Tags of a text, by commas or lines. A string says what is wrong with it. */
export function tagsOf(text: string): Record<string, string> | string {
  const tags: Record<string, string> = {}
  for (const part of text.split(/[,\n]/)) {
    const word = part.trim()
    if (word === '') continue
    const at = word.indexOf('=')
    if (at < 1) return `“${word}” is not a tag: write key=value.`
    tags[word.slice(0, at).trim()] = word.slice(at + 1).trim()
  }
  return tags
}

/** Tags as they are sent: null for none, also where the text is wrong. */
export function sentTags(text: string): Record<string, string> | null {
  const tags = tagsOf(text)
  return typeof tags === 'string' || Object.keys(tags).length === 0 ? null : tags
}
