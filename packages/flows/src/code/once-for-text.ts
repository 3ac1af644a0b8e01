/** Of texts whose results are kept. */
const maxCharacters = 5_000_000

/**
 * Returns the function, which computes on a text only once while its results are kept. They must depend on
 * nothing else. Errors are not kept, so they may depend on `more`, such as the name of a file.
 */
export function onceForText<Result, More extends unknown[]>(
  compute: (text: string, ...more: More) => Result,
): (text: string, ...more: More) => Result {
  const known = new Map<string, { result: Result }>()
  let characters = 0
  return (text, ...more) => {
    const found = known.get(text)
    if (found) return found.result
    const result = compute(text, ...more)
    characters += text.length
    if (characters > maxCharacters) {
      known.clear()
      characters = text.length
    }
    known.set(text, { result })
    return result
  }
}
