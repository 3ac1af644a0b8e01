// Unnecessary error coalescing in scripts: `.body ?? "x"`, where `.body` cannot fail.

const diagnostic =
  /message: unnecessary error coalescing operation\n[\s\S]*?labels:\n +- \[\d+, (\d+)\][^\n]*\n +- \[\d+, (\d+)\]/

/**
 * Returns the script without the first such operation of the compiler's error, or null if there is
 * none. Spaces replace it, so that positions stay the same; they count bytes.
 */
export function withoutCoalescing(script: string, error: unknown): string | null {
  const text = error instanceof Error ? error.message : String(error)
  if (!text.startsWith('Compilation Error')) return null
  const [, from, to] = diagnostic.exec(text) ?? []
  if (from === undefined || to === undefined) return null
  const bytes = Buffer.from(script)
  bytes.fill(' ', Number(from), Number(to))
  return bytes.toString()
}
