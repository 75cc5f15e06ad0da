/** What is sent for the filters of the list of instances. Pure. */

/** The query of the list's filter by tag: a key, or a key with its value. */
export function tagFilter(typed: string): { tag?: string; tag_key?: string } {
  const text = typed.trim()
  if (text === '') return {}
  return /^[^=]+=./.test(text) ? { tag: text } : { tag_key: text.replace(/=$/, '') }
}

/** What is typed as the list's filter by name: a part of the name, unless asterisks say which part. */
export function nameFilter(typed: string): { name?: string } {
  if (typed === '') return {}
  return { name: typed.includes('*') ? typed : `*${typed}*` }
}
