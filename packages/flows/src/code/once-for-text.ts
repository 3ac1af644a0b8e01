/** Of texts whose results are kept. */
const maxCharacters = 5_000_000

/**
 * Returns the function, which computes on a text only once while its results are kept. They must depend on
 * nothing else. Errors are not kept.
 */
export function onceForText<Result>(compute: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, { result: Result }>()
  let characters = 0
  return (text) => {
    const found = known.get(text)
    if (found) return found.result
    const result = compute(text)
    characters += text.length
    if (characters > maxCharacters) {
      known.clear()
      characters = text.length
    }
    known.set(text, { result })
    return result
  }
}
