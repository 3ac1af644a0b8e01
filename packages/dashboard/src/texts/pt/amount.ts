/** Returns a number with separators: `1.234`. */
export const thousands = (count: number) => count.toLocaleString('pt-BR')

/**
 * Returns a number of things: `1 linha`, `1.234 linhas`, `2.000.000 de linhas`. Zero takes the
 * plural, as people write it, although `Intl.PluralRules` counts it as "one".
 */
export const amount = (count: number, one: string, many = `${one}s`) => {
  if (count === 1) return `1 ${one}`
  const isMillions = count !== 0 && count % 1_000_000 === 0
  return `${thousands(count)} ${isMillions ? 'de ' : ''}${many}`
}

/** Writes a decimal comma: `0,35`. */
export const decimal = (value: number | string) => String(value).replace('.', ',')
