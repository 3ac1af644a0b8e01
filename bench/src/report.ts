// Formats numbers and Markdown tables.

type Cell = string | number

export function printTable(
  title: string,
  head: string[],
  rows: Cell[][],
  notes: string[] = [],
) {
  const line = (cells: Cell[]) => `| ${cells.join(' | ')} |`
  const text = [
    `\n## ${title}\n`,
    line(head),
    line(head.map(() => '---')),
    ...rows.map(line),
    ...notes.map((note) => `\n${note}`),
  ]
  process.stdout.write(`${text.join('\n')}\n`)
}

export const note = (text: string) => void process.stdout.write(`\n${text}\n`)

/** Prints progress to stderr, apart from the report on stdout. */
export const progress = (text: string) => void process.stderr.write(`${text}\n`)

export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** Formats three significant digits; more would be noise. */
export function digits(value: number): string {
  if (!Number.isFinite(value)) return '–'
  const size = Math.abs(value)
  if (size >= 1000) return Math.round(value).toLocaleString('en')
  if (size >= 100) return value.toFixed(0)
  return value.toFixed(size >= 10 ? 1 : 2)
}

export const spread = (values: readonly number[]) =>
  `${digits(median(values))} (${digits(Math.min(...values))}–${digits(Math.max(...values))})`

export const ratio = (value: number, floor: number) =>
  Number.isFinite(value / floor) ? `${(value / floor).toFixed(2)} ×` : '–'

export function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
}
