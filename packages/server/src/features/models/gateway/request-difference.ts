// Compares requests of models by lines, one for each value.

const maxLines = 12
const maxLineLength = 200

/** One line for each value: `options.prompt[0].content: "Hi"`. */
export function toLines(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null)
    return [`${path}: ${JSON.stringify(value)}`]
  return Object.entries(value).flatMap(([name, one]) => {
    const own = Array.isArray(value) ? `[${name}]` : `${path === '' ? '' : '.'}${name}`
    return toLines(one, path + own)
  })
}

export function findDifference(before: string[], after: string[]): string[] {
  const [known, present] = [new Set(before), new Set(after)]
  const removed = before.filter((line) => !present.has(line))
  const added = after.filter((line) => !known.has(line))
  return [
    ...removed.map((line) => `- ${toExcerpt(line, added)}`),
    ...added.map((line) => `+ ${toExcerpt(line, removed)}`),
  ]
}

/** Shortens a line to the part that differs from the other value at the same path. */
function toExcerpt(line: string, others: string[]): string {
  if (line.length <= maxLineLength) return line
  const path = line.slice(0, line.indexOf(': ') + 2)
  const other = others.find((one) => one.startsWith(path)) ?? path
  let equal = 0
  while (equal < line.length && line[equal] === other[equal]) equal++
  const start = Math.max(path.length, equal - 40)
  const left = start > path.length ? '…' : ''
  const shown = line.slice(start, start + maxLineLength)
  return `${path}${left}${shown}${start + maxLineLength < line.length ? '…' : ''}`
}

/** Returns the first lines, and the number of the others. */
export function toText(difference: string[]): string {
  const more =
    difference.length > maxLines ? `\n… ${difference.length - maxLines} more lines` : ''
  return difference.slice(0, maxLines).join('\n') + more
}
