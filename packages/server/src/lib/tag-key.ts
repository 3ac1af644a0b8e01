import { createHash } from 'node:crypto'

/** What stands in an index for the name of a tag, which may be longer than an index has room for; the database's function of that name does the same. */
export const tagKey = (text: string) => createHash('sha256').update(text).digest().subarray(0, 16)
