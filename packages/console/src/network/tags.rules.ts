/** Tags as a line of text: `team=data, tier=front`. Pure. */

/** Tags for an input. */
export function tagsText(tags: Readonly<Record<string, string>> | null): string {
  return Object.entries(tags ?? {})
    .map(([key, value]) => `${key}=${value}`)
    .join(', ')
}

/** Tags of an input; a word without `=` is a key with an empty value. Null: none. */
export function readTags(text: string): Record<string, string> | null {
  const pairs = text
    .split(',')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [key = '', ...rest] = pair.split('=')
      return [key.trim(), rest.join('=').trim()] as const
    })
  return pairs.length === 0 ? null : Object.fromEntries(pairs)
}
