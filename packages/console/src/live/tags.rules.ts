/** Tags as a line of text: `team=data, tier=front`. A backslash keeps a comma, or another backslash. Pure. */

type Tags = Readonly<Record<string, string>>

/** Tags as they are typed. */
export function tagsText(tags: Tags | null): string {
  const kept = (text: string) => text.replaceAll(/[\\,]/g, '\\$&')
  return Object.entries(tags ?? {})
    .map(([key, value]) => `${kept(key)}=${kept(value)}`)
    .join(', ')
}

/** Tags of a text, by commas or lines. A string says what is wrong with it. */
export function tagsOf(text: string): Record<string, string> | string {
  const tags: Record<string, string> = {}
  for (const [part] of text.matchAll(/(?:\\[^\n]|[^,\n])+/g)) {
    const word = part.trim().replaceAll(/\\([\\,])/g, '$1')
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
