/** The output formats of data. */
export const formats = ['table', 'json', 'jsonl', 'yaml', 'csv', 'id'] as const
export type Format = (typeof formats)[number]
