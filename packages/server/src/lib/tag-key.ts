import { sha256 } from './secrets.ts'

/** What stands in an index for the name of a tag, which may be longer than an index has room for; the database's function of that name does the same. */
export const tagKey = (text: string) => sha256(text).subarray(0, 16)
