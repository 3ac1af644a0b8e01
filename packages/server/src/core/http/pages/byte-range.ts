/**
 * Returns the range of `size` bytes that a Range header requests, both ends included. Returns null
 * for the whole: without the header, with an invalid one, or with several ranges, which a server
 * may ignore (RFC 9110 §14.2).
 */
export function byteRange(
  header: string | undefined,
  size: number,
): { start: number; end: number } | 'unsatisfiable' | null {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === ''))
    return null
  if (first === '')
    return size === 0 || Number(last) === 0
      ? 'unsatisfiable'
      : { start: Math.max(0, size - Number(last)), end: size - 1 }
  if (last !== '' && Number(last) < Number(first)) return null
  return Number(first) >= size
    ? 'unsatisfiable'
    : {
        start: Number(first),
        end: Math.min(last === '' ? size - 1 : Number(last), size - 1),
      }
}
