const units = ['B', 'KB', 'MB', 'GB', 'TB']

/** In powers of 1000: `1.2 MB`. */
export function toBytes(bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1)
  const amount = bytes / 1000 ** power
  return `${amount.toLocaleString('en', { maximumFractionDigits: power === 0 ? 0 : 1 })} ${units[power]}`
}
