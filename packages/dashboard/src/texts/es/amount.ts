const plurals = new Intl.PluralRules('es')

/** Returns a number with separators: `1234`, `12.345`. */
export const thousands = (count: number) => count.toLocaleString('es')

/** Returns a number of things: `1 fila`, `12.345 filas`, `2.000.000 de filas`. */
export function amount(count: number, one: string, other = `${one}s`): string {
  const form = plurals.select(count)
  if (form === 'many') return `${thousands(count)} de ${other}`
  return `${thousands(count)} ${form === 'one' ? one : other}`
}

/** Returns a score, or another number with decimals: `0,35`. */
export const decimal = (value: number) =>
  value.toLocaleString('es', { useGrouping: false })
