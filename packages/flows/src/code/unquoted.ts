/** Returns the text of a JavaScript string with its quotes; null for an escape that JSON does not have. */
export function unquote(quoted: string): string | null {
  const json = quoted
    .slice(1, -1)
    .replace(/\\(.)|"/gs, (whole, escaped: string | undefined) => {
      if (escaped === undefined) return '\\"'
      return escaped === "'" ? "'" : whole
    })
  try {
    return JSON.parse(`"${json}"`) as string
  } catch {
    return null
  }
}
