/** Returns round numbers from 0 to at least `max`, at equal distances: three to six. */
export function toTicks(max: number, { hasDecimals = false } = {}): number[] {
  const rough = (max || 1) / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const round = [1, 2, 5, 10]
    .map((factor) => factor * power)
    .find((step) => step >= rough)!
  const step = hasDecimals ? round : Math.max(1, round)
  const count = Math.max(1, Math.ceil(max / step))
  // Without the digits by which multiples of fractions are wrong.
  return Array.from({ length: count + 1 }, (_, at) => Number((at * step).toPrecision(12)))
}
