import { sha256 } from '@botstead/lib'

/**
 * Returns the index key of a tag name, which may exceed the size of an index entry. The database
 * function `tag_key` must return the same.
 */
export const tagKey = (text: string) => sha256(text).subarray(0, 16)
