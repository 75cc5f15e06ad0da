import { repeated, text } from './schema.ts'

/** Filters of every list whose rows carry tags: `tag=key=value` and `tag_key=key`; several must all hold. */
export const tagFilters = {
  tag: repeated(text({ max: 385, pattern: '^[^_,= ][^,= ]{0,127}=[^,=]{0,256}$', description: 'key=value' })),
  tag_key: repeated(text({ max: 128, pattern: '^[^_,= ][^,= ]{0,127}$' })),
}
